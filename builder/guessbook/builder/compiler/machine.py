"""LLVM: bitcode to an object file for the processor at hand, and the loading of such a file.

llvmlite is loaded when something is to be compiled or run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# Bytes that kernels handle side by side.
LANES = 64

# As much work as pays: more makes the kernels no faster, but they take longer to compile.
LEVEL = 2


# By the name of a function what LLVM is told about it.
HINTS: dict[str, tuple[str, ...]] = {}
# It is not inlined, which compiles it again with all around it.
APART = ("noinline",)
# Little time is spent in it, so its code is to be short: that is compiled in a fraction of the
# time.
BRIEF = ("noinline", "minsize")


def hinted(hints: tuple[str, ...]) -> Callable[[F], F]:
    """Tell LLVM something about a function."""

    def noted(function: F) -> F:
        HINTS[function.__name__] = hints
        return function

    return noted


def llvm() -> Any:
    """What of llvmlite is used."""
    from llvmlite import binding  # late: where no kernel runs

    return binding


@cache
def target_machine() -> Any:
    """This processor, for the compiler."""
    binding = llvm()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=LEVEL,
        reloc="default",
        codemodel="jitdefault",
    )


def object_file(bitcode: bytes) -> bytes:
    """Compile a module of bitcode for this processor."""
    binding, machine = llvm(), target_machine()
    module = binding.parse_bitcode(bitcode)
    options = binding.create_pipeline_tuning_options(LEVEL)
    options.loop_vectorization = options.slp_vectorization = True
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    code: bytes = machine.emit_object(module)
    return code


@cache
def engine() -> Any:
    """What loads code into this process."""
    binding = llvm()
    return binding.create_mcjit_compiler(binding.parse_assembly(""), target_machine())


def load(name: str, code: bytes) -> int:
    """Load an object file; returns the address of one of its functions."""
    engine().add_object_file(llvm().ObjectFileRef.from_data(code))
    engine().finalize_object()
    return int(engine().get_function_address(name))
