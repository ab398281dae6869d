-- What luacheck holds the plugin and its test support to: LuaJIT as Neovim has it, and no global but `vim`.
std = "luajit"
globals = { "vim" }
max_line_length = 120
exclude_files = { "**/*.gen.lua", "**/node_modules", ".venv*", ".cache" }
