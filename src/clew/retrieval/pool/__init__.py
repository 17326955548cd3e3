"""The chunks that one question considers, and what each is worth by itself."""
