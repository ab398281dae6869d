-- A timeline as bars of characters, one line a lane, with signs for what came when.
local highlight = require("teamwright.ui.highlight")
local text = require("teamwright.ui.text")

local M = {}

local WIDTH = 40
-- Told apart without colours, too.
local SHADES = { busy = "█", accent = "▓", idle = "▒", ok = "░", warn = "?", bad = "x" }

---@param data teamwright.TimelineData
---@param seconds number
---@return integer from 1 on
local function place(data, seconds)
  return math.min(math.floor(seconds / math.max(data.seconds, 1e-9) * WIDTH), WIDTH - 1) + 1
end

---@param data teamwright.TimelineData
---@param lane teamwright.TimelineLane
---@return string[] signs, string[] tones by place
local function bar(data, lane)
  local signs, tones, taken = {}, {}, {}
  for at = 1, WIDTH do
    signs[at] = " "
  end
  for _, span in ipairs(lane.spans or {}) do
    for at = place(data, span.start), place(data, math.max(span["end"] - 1e-6, span.start)) do
      signs[at], tones[at] = SHADES[span.tone] or "█", span.tone
    end
  end
  for _, mark in ipairs(lane.marks or {}) do
    local at = place(data, mark.at)
    while taken[at] and at < WIDTH do
      at = at + 1
    end
    taken[at], signs[at], tones[at] = true, mark.sign, mark.tone
  end
  return signs, tones
end

---@param sheet teamwright.Sheet
---@param part teamwright.TimelinePart
function M.draw(sheet, part)
  local data, widest = part.data, 0
  for _, lane in ipairs(data.lanes) do
    widest = math.max(widest, vim.fn.strdisplaywidth(lane.label))
  end
  for _, lane in ipairs(data.lanes) do
    local signs, tones = bar(data, lane)
    local line, marks = text.pad(lane.label, widest) .. "  ", {}
    for at, sign in ipairs(signs) do
      local tone = highlight.TONES[tones[at]]
      if tone then
        table.insert(marks, { 0, #line, #line + #sign, tone[2] })
      end
      line = line .. sign
    end
    sheet:line(line .. "  " .. (lane.note or ""), nil, marks)
  end
  local legend = vim.tbl_map(function(chip)
    return ("%s %s"):format(SHADES[chip.tone] or "█", chip.label)
  end, data.legend or {})
  sheet:line(text.joined(vim.list_extend(legend, { part.text })), "TeamwrightMeta")
end

return M
