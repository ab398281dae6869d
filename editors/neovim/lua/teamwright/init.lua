-- The public face: options, and what a status line shows.
local M = {}

local KEYS = {
  { { "n" }, "c", "chat" },
  { { "n", "x" }, "q", "ask" },
  { { "n", "x" }, "r", "review" },
  { { "n", "x" }, "e", "explain" },
  { { "n", "x" }, "f", "fix" },
  { { "n", "x" }, "t", "test" },
  { { "n" }, "a", "approve" },
  { { "n" }, "o", "override" },
  { { "n" }, "x", "cancel" },
  { { "n" }, "m", "modes" },
  { { "n" }, "s", "sessions" },
  { { "n" }, "d", "changes" },
  { { "n" }, "l", "findings" },
}

---Optional: everything works without it.
---@param options? table see |teamwright-options|
function M.setup(options)
  local config = require("teamwright.config")
  config.set(options)
  if config.get().keymaps then
    for _, key in ipairs(KEYS) do
      vim.keymap.set(
        key[1],
        "<Leader>q" .. key[2],
        ("<Plug>(teamwright-%s)"):format(key[3]),
        { desc = "Teamwright " .. key[3] }
      )
    end
  end
end

---@return string empty until the server runs
function M.statusline()
  return package.loaded["teamwright.connection"] and require("teamwright.ui.status").line() or ""
end

return M
