"""What compiles kernels: numba to the bitcode of LLVM, and LLVM for the processor at hand."""
