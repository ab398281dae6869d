"""Change sets: chosen, merged, applied, verified, taken back."""
