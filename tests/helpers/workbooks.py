"""Small workbooks of Excel and OpenDocument, written cell by cell."""

from __future__ import annotations

from io import BytesIO
from typing import TypeAlias
from xml.sax.saxutils import escape
from zipfile import ZipFile

# The cells of a sheet: texts, numbers, truth values; None for a blank cell.
Rows: TypeAlias = "list[list[str | float | bool | None]]"

OFFICE = "http://schemas.openxmlformats.org"
OPEN = "urn:oasis:names:tc:opendocument:xmlns"


def zipped(files: dict[str, str]) -> bytes:
    """Return a ZIP archive of these files."""
    data = BytesIO()
    with ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def xlsx(sheets: dict[str, Rows]) -> bytes:
    """Return a workbook in the format of Excel."""
    names = "".join(
        f'<sheet name="{name}" sheetId="{k}" r:id="r{k}"/>' for k, name in enumerate(sheets, 1)
    )
    links = "".join(
        f'<Relationship Id="r{k}" Target="worksheets/sheet{k}.xml" '
        f'Type="{OFFICE}/officeDocument/2006/relationships/worksheet"/>'
        for k in range(1, len(sheets) + 1)
    )
    main = f'xmlns="{OFFICE}/spreadsheetml/2006/main"'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{OFFICE}/package/2006/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships"><Relationship Id="r0" '
        f'Target="xl/workbook.xml" Type="{OFFICE}/officeDocument/2006/relationships/officeDocument"/>'
        "</Relationships>",
        "xl/workbook.xml": f'<workbook {main} xmlns:r="{OFFICE}/officeDocument/2006/relationships">'
        f"<sheets>{names}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships">'
        f"{links}</Relationships>",
    }
    for k, rows in enumerate(sheets.values(), 1):
        lines = "".join(
            f'<row r="{r}">{"".join(xlsx_cell(r, c, value) for c, value in enumerate(row))}</row>'
            for r, row in enumerate(rows, 1)
        )
        files[f"xl/worksheets/sheet{k}.xml"] = (
            f"<worksheet {main}><sheetData>{lines}</sheetData></worksheet>"
        )
    return zipped(files)


def xlsx_cell(row: int, column: int, value: str | float | bool | None) -> str:
    place = f'r="{chr(ord("A") + column)}{row}"'
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c {place} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str) and value.startswith("#"):
        return f'<c {place} t="e"><v>{value}</v></c>'
    if isinstance(value, str):
        return f'<c {place} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c {place}><v>{value}</v></c>"


def ods(sheets: dict[str, Rows]) -> bytes:
    """Return a workbook in the format of OpenDocument."""
    tables = ""
    for name, rows in sheets.items():
        lines = "".join(
            f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows
        )
        tables += f'<table:table table:name="{name}">{lines}</table:table>'
    spaces = " ".join(f'xmlns:{name}="{OPEN}:{name}:1.0"' for name in ("office", "table", "text"))
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{OPEN}:manifest:1.0"/>',
            "content.xml": f"<office:document-content {spaces}><office:body><office:spreadsheet>"
            f"{tables}</office:spreadsheet></office:body></office:document-content>",
        }
    )


def ods_cell(value: str | float | bool | None) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        kind = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, str):
        kind = 'office:value-type="string"'
    else:
        kind = f'office:value-type="float" office:value="{value}"'
    return f"<table:table-cell {kind}><text:p>{escape(str(value))}</text:p></table:table-cell>"
