-- The command and the <Plug> maps; everything else is loaded when one of them is used.
if vim.g.loaded_teamwright then
  return
end
vim.g.loaded_teamwright = true

if vim.fn.has("nvim-0.11") == 0 then
  vim.notify("Teamwright needs Neovim 0.11 or newer.", vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command("Teamwright", function(call)
  require("teamwright.commands").run(call)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "Talk to the team of agents, see :help teamwright",
  complete = function(lead, line)
    return require("teamwright.commands").complete(lead, line)
  end,
})

for _, name in ipairs({ "chat", "approve", "override", "cancel", "modes", "sessions", "changes", "findings" }) do
  vim.keymap.set("n", ("<Plug>(teamwright-%s)"):format(name), ("<Cmd>Teamwright %s<CR>"):format(name))
end
for _, name in ipairs({ "ask", "review", "explain", "fix", "test" }) do
  vim.keymap.set(
    { "n", "x" },
    ("<Plug>(teamwright-%s)"):format(name),
    (":Teamwright %s<CR>"):format(name),
    { silent = true }
  )
end
