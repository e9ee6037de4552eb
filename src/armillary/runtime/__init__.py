"""Programs as machine code: LLVM on the CPU, one state or a batch a call."""
