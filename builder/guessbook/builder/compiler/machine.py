"""LLVM: bitcode to an object file for the processor at hand, and the loading of such a file.

llvmlite is loaded when something is to be compiled or run.
"""

from __future__ import annotations

from functools import cache
from typing import Any

# Bytes that kernels handle side by side.
LANES = 64

# As much work as pays: more makes the kernels no faster, but they take longer to compile.
LEVEL = 2


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
