-- What reviews found, as a quickfix list. The diagnostics themselves come from the server, like any other.
local notify = require("quorate.notify")
local store = require("quorate.store")
local text = require("quorate.ui.text")

local M = {}

local TYPES = { error = "E", warning = "W", info = "I", hint = "N" }
local TITLE = "Quorate findings"

---@param range quorate.Range
---@return integer from 1; an end at the start of a line leaves that line out
local function last_line(range)
  local past = range["end"].character == 0 and range["end"].line > range.start.line
  return range["end"].line + (past and 0 or 1)
end

---@param findings quorate.AgreedFinding[]
---@return vim.quickfix.entry[]
local function entries_of(findings)
  local entries = {}
  for _, finding in ipairs(findings) do
    if not finding.dismissed then
      table.insert(entries, {
        filename = vim.uri_to_fname(finding.uri),
        lnum = finding.range.start.line + 1,
        end_lnum = last_line(finding.range),
        col = finding.range.start.character + 1,
        type = TYPES[finding.severity],
        text = ("%s (%d of %s)"):format(finding.title, #finding.agents, text.count(finding.of, "agent")),
      })
    end
  end
  return entries
end

---@param session? quorate.Session
function M.open(session)
  local entries = entries_of(session and session.findings or {})
  if #entries == 0 then
    return notify.info("no findings; `:Quorate review` makes the team look for some.")
  end
  vim.fn.setqflist({}, " ", { title = TITLE, items = entries })
  vim.cmd("botright copen")
end

-- A list that is shown already is kept current; none is put in the user's way.
store.listen(function(change)
  if change.what == "findings" and vim.fn.getqflist({ title = true }).title == TITLE then
    vim.fn.setqflist({}, "r", { title = TITLE, items = entries_of(change.session.findings) })
  end
end)

return M
