-- The command and the <Plug> maps; everything else is loaded when one of them is used.
if vim.g.loaded_quorate then
  return
end
vim.g.loaded_quorate = true

if vim.fn.has("nvim-0.11") == 0 then
  vim.notify("Quorate needs Neovim 0.11 or newer.", vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command("Quorate", function(call)
  require("quorate.commands").run(call)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "Talk to the team of agents, see :help quorate",
  complete = function(lead, line)
    return require("quorate.commands").complete(lead, line)
  end,
})

for _, name in ipairs({ "chat", "approve", "override", "cancel", "modes", "sessions", "changes", "findings" }) do
  vim.keymap.set("n", ("<Plug>(quorate-%s)"):format(name), ("<Cmd>Quorate %s<CR>"):format(name))
end
for _, name in ipairs({ "ask", "review", "explain", "fix", "test" }) do
  vim.keymap.set({ "n", "x" }, ("<Plug>(quorate-%s)"):format(name), (":Quorate %s<CR>"):format(name), { silent = true })
end
