"""A real Neovim, driven as its user would drive it: keys in, the screen out."""
