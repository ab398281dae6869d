-- Our groups, each linked to a standard one, so that every colour scheme has an opinion on them.
local M = {}

M.GROUPS = {
  QuorateUser = "Title",
  QuorateAssistant = "Function",
  QuorateMeta = "Comment",
  QuorateRun = "Special",
  QuorateAgent = "Identifier",
  QuorateDecision = "WarningMsg",
  QuorateKey = "Keyword",
  QuorateOk = "DiagnosticOk",
  QuorateError = "DiagnosticError",
  QuorateWarning = "DiagnosticWarn",
  QuorateInfo = "DiagnosticInfo",
  QuorateAccepted = "DiffAdd",
  QuorateRefused = "DiffDelete",
}

function M.define()
  for name, link in pairs(M.GROUPS) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

M.define()
vim.api.nvim_create_autocmd("ColorScheme", {
  group = vim.api.nvim_create_augroup("quorate.highlights", {}),
  callback = M.define,
})

return M
