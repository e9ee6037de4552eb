"""Interned expressions: nodes, the op table, algebraic laws, differentiation, series, a safe parser, text."""
