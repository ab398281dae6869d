-- `nvim -u minimal.lua`: Neovim with this plugin and nothing else, to see whether a fault is ours.
local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, "S").source:sub(2)))
vim.opt.runtimepath = { here, vim.env.VIMRUNTIME }
vim.opt.packpath = {}
vim.opt.swapfile = false
vim.lsp.log.set_level("info")
vim.lsp.enable("teamwright")
