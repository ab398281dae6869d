-- The bar above the transcript: modes, project, what is under way, what waits for the user.
local conversation = require("quorate.conversation")
local status = require("quorate.ui.status")
local store = require("quorate.store")
local text = require("quorate.ui.text")
local workspace = require("quorate.workspace")

local M = {}

---@type fun(): integer?
local window_of_transcript = function() end

---@param find fun(): integer?
function M.of(find)
  window_of_transcript = find
end

---@param group string
---@param said? string
---@return string
local function part(group, said)
  if not said or said == "" then
    return ""
  end
  return ("%%#%s# %s "):format(group, (said:gsub("%%", "%%%%")))
end

---@return string
function M.line()
  local session = conversation.current()
  local summary = session and session.summary or {}
  local pending = status.pending()
  return table.concat({
    part("QuorateDecision", pending > 0 and "⚑ " .. text.count(pending, "decision") or ""),
    part("QuorateKey", status.modes(summary.modes)),
    part("QuorateMeta", summary.project),
    part("QuorateInfo", status.phase(session)),
    part("QuorateMeta", session and text.cost(session.costUsd or summary.costUsd)),
    part("QuorateWarning", not workspace.is_trusted() and "untrusted" or ""),
    "%=%<",
    part("QuorateAssistant", text.one_line(summary.title ~= "" and summary.title or "Quorate", 18)),
  })
end

function M.draw()
  local window = window_of_transcript()
  if window then
    vim.wo[window].winbar = M.line()
  end
end

store.listen(function(change)
  if change.what ~= "text" and change.what ~= "entry" then
    M.draw()
  end
end)

return M
