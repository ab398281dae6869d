-- What reviews found, as a quickfix list. The diagnostics themselves come from the server, like any other.
local notify = require("teamwright.notify")
local sessions = require("teamwright.sessions")
local text = require("teamwright.ui.text")

local M = {}

local TYPES = { bad = "E", warn = "W", idle = "I" }
local TITLE = "Teamwright findings"

---@param range? teamwright.Range
---@return integer? from 1; an end at the start of a line leaves that line out
local function last_line(range)
  if not range then
    return nil
  end
  local past = range["end"].character == 0 and range["end"].line > range.start.line
  return range["end"].line + (past and 0 or 1)
end

---@param link teamwright.LinkPart
---@param chips teamwright.Chip[] how it stands
---@return vim.quickfix.entry
local function item(link, chips)
  local range = link.data.range
  local labels = vim.tbl_map(function(chip)
    return chip.label
  end, chips)
  return {
    filename = vim.uri_to_fname(link.data.uri),
    lnum = range and range.start.line + 1,
    end_lnum = last_line(range),
    col = range and range.start.character + 1,
    type = chips[1] and TYPES[chips[1].tone],
    text = text.joined({ link.title, unpack(labels) }),
  }
end

---@return vim.quickfix.entry[] of the session that is shown
local function items()
  local session, found = sessions.current(), {}
  for _, id in ipairs(session and session.transcript.order or {}) do
    local entry = session.transcript.by_id[id]
    for place, part in ipairs(entry.kind == "findings" and entry.parts or {}) do
      if part.kind == "link" then
        local next_part = entry.parts[place + 1]
        table.insert(found, item(part, next_part and next_part.kind == "chips" and next_part.data.chips or {}))
      end
    end
  end
  return found
end

function M.open()
  local found = items()
  if #found == 0 then
    return notify.info("no findings; `:Teamwright review` makes the team look for some.")
  end
  vim.fn.setqflist({}, " ", { title = TITLE, items = found })
  vim.cmd("botright copen")
end

-- A list that is shown already is kept current; none is put in the user's way.
vim.api.nvim_create_autocmd("User", {
  pattern = "TeamwrightFindingsUpdated",
  group = vim.api.nvim_create_augroup("teamwright.findings", {}),
  callback = vim.schedule_wrap(function()
    if vim.fn.getqflist({ title = true }).title == TITLE then
      vim.fn.setqflist({}, "r", { title = TITLE, items = items() })
    end
  end),
})

return M
