-- How things are coloured: our groups, each linked to a standard one so that every colour scheme has an opinion on
-- them, and Markdown.
local M = {}

M.GROUPS = {
  TeamwrightUser = "Title",
  TeamwrightAssistant = "Function",
  TeamwrightMeta = "Comment",
  TeamwrightRun = "Special",
  TeamwrightDecision = "WarningMsg",
  TeamwrightKey = "Keyword",
  TeamwrightOk = "DiagnosticOk",
  TeamwrightError = "DiagnosticError",
  TeamwrightWarning = "DiagnosticWarn",
  TeamwrightInfo = "DiagnosticInfo",
  TeamwrightVoid = "@markup.strikethrough",
  TeamwrightAccepted = "DiffAdd",
  TeamwrightRefused = "DiffDelete",
}

-- The server's tones, as a sign and a group.
M.TONES = {
  ok = { "✓", "TeamwrightOk" },
  bad = { "✗", "TeamwrightError" },
  warn = { "!", "TeamwrightWarning" },
  busy = { "●", "TeamwrightInfo" },
  idle = { "○", "TeamwrightMeta" },
  accent = { "◆", "TeamwrightRun" },
}

local LONG_LINES = 600
local PAUSE_MS = 300

local function define()
  for name, link in pairs(M.GROUPS) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

define()
vim.api.nvim_create_autocmd("ColorScheme", {
  group = vim.api.nvim_create_augroup("teamwright.highlight", {}),
  callback = define,
})

---@type table<integer, uv.uv_timer_t> of buffers whose highlighting rests
local resting = {}

---@param bufnr integer
function M.markdown(bufnr)
  if not pcall(vim.treesitter.start, bufnr, "markdown") then
    vim.bo[bufnr].syntax = "markdown"
  end
end

---@param bufnr integer
local function wake(bufnr)
  resting[bufnr]:close()
  resting[bufnr] = nil
  if vim.api.nvim_buf_is_valid(bufnr) then
    M.markdown(bufnr)
  end
end

---The parser reads a whole buffer again for every piece that is appended: in a long one it rests while text streams in,
---and comes back when the stream pauses. To be called before text is appended.
---@param bufnr integer
function M.rest_if_long(bufnr)
  if not resting[bufnr] then
    if vim.api.nvim_buf_line_count(bufnr) < LONG_LINES or not vim.treesitter.highlighter.active[bufnr] then
      return
    end
    vim.treesitter.stop(bufnr)
    resting[bufnr] = assert(vim.uv.new_timer())
  end
  resting[bufnr]:start(PAUSE_MS, 0, function()
    vim.schedule(function()
      if resting[bufnr] and not resting[bufnr]:is_active() then
        wake(bufnr)
      end
    end)
  end)
end

return M
