-- An entry as a block of lines: its title by its kind, its parts by theirs, its actions in a line. The words are the
-- server's; nothing here knows what they are about. Pure: the same entry always looks the same.
local Sheet = require("teamwright.ui.sheet")
local highlight = require("teamwright.ui.highlight")
local text = require("teamwright.ui.text")

local M = {}

local SIGNS = {
  queued = "⧗",
  steered = "↪",
  running = "…",
  waiting = "⚑",
  done = "✓",
  failed = "✗",
  cancelled = "■",
  info = "·",
  warning = "!",
  error = "✗",
}

---@class teamwright.KindStyle
---@field group string
---@field head "spoken"|"framed"|"remark"

---@type table<string, teamwright.KindStyle>
local KINDS = {
  message = { group = "TeamwrightUser", head = "spoken" },
  answer = { group = "TeamwrightAssistant", head = "spoken" },
  run = { group = "TeamwrightRun", head = "framed" },
  decision = { group = "TeamwrightDecision", head = "framed" },
  changes = { group = "TeamwrightDecision", head = "framed" },
  findings = { group = "TeamwrightRun", head = "framed" },
  plan = { group = "TeamwrightRun", head = "framed" },
  tasks = { group = "TeamwrightRun", head = "framed" },
  error = { group = "TeamwrightError", head = "remark" },
}
local GROUPS = { error = "TeamwrightError", failed = "TeamwrightError", warning = "TeamwrightWarning" }
local OTHER = { group = "TeamwrightMeta", head = "remark" }

---@param sheet teamwright.Sheet
---@param entry teamwright.Entry
---@param style teamwright.KindStyle
local function draw_head(sheet, entry, style)
  local title = text.one_line(entry.title or "", 200)
  local sign = SIGNS[entry.state]
  if style.head == "spoken" then
    sheet:line("")
    local is_said = entry.kind == "answer" or entry.state == "sent"
    sheet:line("▎" .. text.joined({ title, not is_said and sign or nil }, " "), style.group)
  elseif style.head == "framed" then
    sheet:line("")
    sheet:line("▎" .. text.joined({ sign, title }, " "), style.group)
  else
    local is_thought = entry.kind == "reasoning"
    local sign_or_dot = is_thought and (entry.state == "streaming" and "▾" or "▸") or sign or "·"
    sheet:line(text.joined({ sign_or_dot, title }, " "), GROUPS[entry.state] or style.group)
  end
end

---@param entry teamwright.Entry
---@return teamwright.Action[] what can be done with the whole of it
function M.actions(entry)
  return vim.tbl_filter(function(action)
    return action.key ~= nil
  end, entry.actions)
end

---@param sheet teamwright.Sheet
---@param entry teamwright.Entry
local function draw_actions(sheet, entry)
  local labels = vim.tbl_map(function(action)
    return action.label
  end, M.actions(entry))
  if #labels > 0 then
    sheet.prefix = ""
    sheet:line("╰ <CR> → " .. table.concat(labels, " / "), "TeamwrightKey")
  end
end

---@param entry teamwright.Entry
---@return teamwright.Block
function M.block(entry)
  local style = KINDS[entry.kind] or OTHER
  local sheet = Sheet.new()
  draw_head(sheet, entry, style)
  sheet.prefix = ({ framed = "│ ", remark = "  " })[style.head] or ""
  sheet.prefix_group = style.head == "framed" and style.group or "TeamwrightMeta"
  local is_remark = style.head == "remark"
  -- What is folded below a remark is folded with it, and its text may grow as long as nothing stands in front of it.
  if entry.kind == "reasoning" then
    sheet.prefix = ""
  end
  for _, part in ipairs(entry.parts) do
    if is_remark and part.folded then
      sheet:fold_from(#sheet.lines - 1, entry.state ~= "streaming", function()
        sheet:part(vim.tbl_extend("force", part, { folded = false, title = false }))
      end)
    else
      sheet:part(part)
    end
  end
  local tail = sheet.prefix == "" and sheet.ends_with or nil
  draw_actions(sheet, entry)
  return sheet:block(sheet.ends_with and tail)
end

---@param entry teamwright.Entry
---@return string[] what it says, without its title and actions; nothing is hidden from whoever decides
function M.details(entry)
  local sheet = Sheet.new()
  for _, part in ipairs(entry.parts) do
    if entry.state == "waiting" then
      sheet:part(vim.tbl_extend("force", part, { folded = false }))
    elseif not part.folded then
      sheet:part(part)
    end
  end
  return sheet.lines
end

---@param entry teamwright.Entry
---@param agentId string
---@return string how the agent stands, from the entry's tables, for a bar
function M.standing(entry, agentId)
  for _, part in ipairs(entry.parts) do
    for _, row in ipairs(part.kind == "table" and part.data.rows or {}) do
      if row.agentId == agentId then
        local said, tone = {}, nil
        -- Figures need their heads; those stand in the table itself.
        for place, cell in ipairs(row.cells) do
          table.insert(said, part.data.columns[place].align ~= "right" and cell.text or "")
          tone = tone or cell.tone
        end
        local sign = highlight.TONES[tone] or { "", "TeamwrightMeta" }
        return ("%%#%s# %s %s"):format(sign[2], sign[1], text.in_bar(text.joined(said)))
      end
    end
  end
  return " " .. text.in_bar(agentId)
end

return M
