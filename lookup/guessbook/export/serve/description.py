"""The description: what can be asked and what is answered, as OpenAPI."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import getdoc
from types import UnionType
from typing import Any, get_args, get_type_hints

from guessbook.export.serve.question import QUESTIONS, parameters
from guessbook.lookup import Book

TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
ENTRY = {"type": ["string", "array"], "description": 'GUESS=FEEDBACK or ["GUESS", "FEEDBACK"]'}
PARAMETERS = {"guess": {"type": "string"}, "history": {"type": "array", "items": ENTRY}}
QUERY = {
    "name": "history",
    "in": "query",
    "description": "GUESS=FEEDBACK for each answer so far",
    "schema": {"type": "object", "additionalProperties": {"type": "string"}},
}
ERROR = {
    "type": "object",
    "required": ["error", "exit_code", "suspects"],
    "properties": {
        "error": {"type": "string"},
        "exit_code": {"type": "integer"},
        "suspects": {"type": "array", "items": {"type": "integer"}},
    },
}
ERRORS = {
    "400": "What is asked makes no sense in this game",
    "422": "No secret fits the history; `suspects` are the entries to re-check, counted from 0",
    "500": "The book that is served is wrong: its tree is not that of its game",
    "503": "It would take too long",
}


def description(book: Book) -> dict[str, Any]:
    """The description for a book, in version 3.1 of OpenAPI; it follows from `QUESTIONS`."""
    kinds = [get_type_hints(ask)["return"] for ask in QUESTIONS.values()]
    facts = {"summary": "What the book is.", "responses": {"200": _json("The facts", {})}}
    return {
        "openapi": "3.1.0",
        "info": {"title": f"Guessbook: {book.game.name}", "version": "1"},
        "paths": {
            **{f"/{name}": _operations(name) for name in QUESTIONS},
            "/info": {"get": facts},
        },
        "components": {
            "schemas": {"Error": ERROR, **{kind.__name__: schema(kind) for kind in kinds}}
        },
    }


def schema(kind: Any) -> dict[str, Any]:
    """The values of a type, as JSON Schema.

    >>> schema(list[float])
    {'type': 'array', 'items': {'type': 'number'}}
    """
    if kind in TYPES:
        return {"type": TYPES[kind]}
    if hasattr(kind, "_fields"):
        fields = {name: schema(hint) for name, hint in get_type_hints(kind).items()}
        # See `plain`: what is None unless something is said is left out.
        unsaid = {name for name, usual in kind._field_defaults.items() if usual is None}
        required = [name for name in fields if name not in unsaid]
        return {"type": "object", "required": required, "properties": fields}
    if isinstance(kind, UnionType):
        return schema(get_args(kind)[0])
    inner = [each for each in get_args(kind) if each is not Ellipsis]
    if issubclass(kind.__origin__, Mapping):
        return {"type": "object", "additionalProperties": schema(inner[-1])}
    return {"type": "array", "items": schema(inner[0])}


def _operations(name: str) -> dict[str, Any]:
    """How to ask a question, by GET and by POST."""
    ask, known = QUESTIONS[name], parameters(name)
    body = {
        "type": "object",
        "required": [parameter for parameter, needed in known.items() if needed],
        "properties": {parameter: PARAMETERS[parameter] for parameter in known},
    }
    answers = {"200": _json("The answer", ask.__annotations__["return"])}
    answers |= {status: _json(why, "Error") for status, why in ERRORS.items()}
    both = {"summary": getdoc(ask), "responses": answers}
    guess = "A last part that is no GUESS=FEEDBACK is the guess." if "guess" in known else ""
    return {
        "get": {**both, "description": guess, "parameters": [QUERY]},
        "post": {**both, "requestBody": _json("", body)},
    }


def _json(what: str, content: str | dict[str, Any]) -> dict[str, Any]:
    """What is sent or received: a text names what stands under `components`."""
    named = {"$ref": f"#/components/schemas/{content}"}
    found = named if isinstance(content, str) else content
    return {"description": what, "content": {"application/json": {"schema": found}}}
