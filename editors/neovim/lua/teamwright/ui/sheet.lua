-- Lines with their colours, folds and the parts that they show, as an entry's parts are written down one by one.
local highlight = require("teamwright.ui.highlight")
local text = require("teamwright.ui.text")

-- Where a link would lead to: Markdown hides it as a whole.
local LINKS = { "%]()(%b())", "%]()(%b[])" }
local CHARACTER = "()([%z\1-\127\194-\244][\128-\191]*)"

---@class teamwright.Sheet
---@field lines string[]
---@field marks teamwright.Mark[]
---@field folds table<integer, string>
---@field parts table<integer, string>
---@field prefix string before each line from now on
---@field prefix_group string
---@field current? string the part that is being written
---@field ends_with? string the part whose bare text was written last
local Sheet = {}
Sheet.__index = Sheet

---@return teamwright.Sheet
function Sheet.new()
  local sheet = { lines = {}, marks = {}, folds = {}, parts = {}, prefix = "", prefix_group = "TeamwrightMeta" }
  return setmetatable(sheet, Sheet)
end

---A line of plain text: what Markdown would hide of it, such as the underscores of a file's name, stays to be seen.
---@param said string
---@param group? string
---@param marks? teamwright.Mark[] by column of what is said; their line is this one
function Sheet:line(said, group, marks)
  local row, shift = #self.lines, #self.prefix
  self:raw_line(said, group)
  for at, char in said:gmatch("()([_*`~\\%[%]&])") do
    table.insert(self.marks, { row, shift + at - 1, shift + at, group, char })
  end
  for _, link in ipairs(LINKS) do
    for at, target in said:gmatch(link) do
      for offset, char in target:gmatch(CHARACTER) do
        local column = shift + at + offset - 2
        local drawn = vim.fn.strdisplaywidth(char) == 1 and char or "?"
        table.insert(self.marks, { row, column, column + #char, group, drawn })
      end
    end
  end
  for _, mark in ipairs(marks or {}) do
    table.insert(self.marks, { row, mark[2] + shift, mark[3] < 0 and -1 or mark[3] + shift, mark[4] })
  end
end

---A line of Markdown, or of a text that is too long to be looked through.
---@param said string
---@param group? string
function Sheet:raw_line(said, group)
  local row, shift = #self.lines, #self.prefix
  table.insert(self.lines, self.prefix .. said)
  self.ends_with, self.parts[row] = nil, self.current
  if shift > 0 then
    table.insert(self.marks, { row, 0, shift, self.prefix_group })
  end
  if group then
    table.insert(self.marks, { row, shift, -1, group })
  end
end

---@param row integer the line that stays when it is folded, from 0
---@param closed boolean
---@param write fun()
function Sheet:fold_from(row, closed, write)
  write()
  if closed and #self.lines > row + 1 then
    self.folds[row] = ">1"
    for below = row + 1, #self.lines - 1 do
      self.folds[below] = "1"
    end
  end
end

---@param data teamwright.TableData
---@return boolean
local function has_head(data)
  return vim.iter(data.columns):any(function(column)
    return column.label ~= ""
  end)
end

---@param data teamwright.TableData
---@return integer[] the width of each column; one that is empty throughout has none
local function widths_of(data)
  local widths = {}
  for place, column in ipairs(data.columns) do
    local widest = 0
    for _, row in ipairs(data.rows) do
      local sign = row.cells[place].tone and 2 or 0
      widest = math.max(widest, vim.fn.strdisplaywidth(row.cells[place].text) + sign)
    end
    widths[place] = widest > 0 and math.max(widest, vim.fn.strdisplaywidth(column.label)) or 0
  end
  return widths
end

---@param sheet teamwright.Sheet
---@param data teamwright.TableData
local function draw_table(sheet, data)
  local widths = widths_of(data)
  local function draw(cells, is_head, is_void)
    local line, marks = "", {}
    for place, cell in ipairs(cells) do
      if widths[place] > 0 then
        local tone = highlight.TONES[cell.tone]
        local said = tone and ("%s %s"):format(tone[1], cell.text) or cell.text
        local padded = text.pad(said, widths[place], data.columns[place].align == "right")
        local group = is_head and "TeamwrightMeta" or is_void and "TeamwrightVoid" or tone and tone[2]
        if group then
          table.insert(marks, { 0, #line, #line + #padded, group })
        end
        line = line .. padded .. "  "
      end
    end
    sheet:line((line:gsub("%s+$", "")), nil, marks)
  end
  if has_head(data) then
    draw(
      vim.tbl_map(function(column)
        return { text = column.label }
      end, data.columns),
      true
    )
  end
  for _, row in ipairs(data.rows) do
    draw(row.cells, false, row.void)
  end
end

---@param sheet teamwright.Sheet
---@param part teamwright.DiffPart
local function draw_diff(sheet, part)
  local data, signs = part.data, { applied = "✓", rejected = "■", conflicted = "✗" }
  local heading = text.joined({ signs[data.outcome], part.text, ("+%d -%d"):format(data.added, data.removed) }, " ")
  sheet:line("▸ " .. text.joined({ heading, part.title }), data.outcome == "conflicted" and "TeamwrightError" or nil)
  sheet:fold_from(#sheet.lines - 1, true, function()
    for _, hunk in ipairs(data.hunks) do
      sheet:line(
        ("@@ -%d,%d +%d,%d @@"):format(hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines),
        "TeamwrightMeta"
      )
      for _, line in ipairs(hunk.lines) do
        sheet:raw_line(line, ({ ["+"] = "TeamwrightAccepted", ["-"] = "TeamwrightRefused" })[line:sub(1, 1)])
      end
    end
  end)
end

---@type table<string, fun(sheet: teamwright.Sheet, part: teamwright.Part)>
local KINDS = {
  markdown = function(sheet, part)
    for _, line in ipairs(text.lines(part.text)) do
      sheet:raw_line(line)
    end
    sheet.ends_with = part.part
  end,
  plain = function(sheet, part)
    for _, line in ipairs(text.lines(part.text)) do
      sheet:line(line)
    end
    sheet.ends_with = part.part
  end,
  code = function(sheet, part)
    for _, line in ipairs(text.lines(part.text)) do
      sheet:raw_line(line, "TeamwrightMeta")
    end
  end,
  diff = draw_diff,
  table = function(sheet, part)
    draw_table(sheet, part.data)
  end,
  link = function(sheet, part)
    sheet:line("↳ " .. text.joined({ part.title, part.text }), "TeamwrightMeta")
  end,
  meter = function(sheet, part)
    local full = math.floor(10 * math.min(1, part.data.used / math.max(part.data.of, 1e-9)) + 0.5)
    sheet:line(("%s%s %s"):format(("█"):rep(full), ("░"):rep(10 - full), part.text))
  end,
  timeline = function(sheet, part)
    require("teamwright.ui.timeline").draw(sheet, part)
  end,
  chips = function(sheet, part)
    local line, marks = "", {}
    for _, chip in ipairs(part.data.chips) do
      local tone = highlight.TONES[chip.tone]
      local said = tone and ("%s %s"):format(tone[1], chip.label) or chip.label
      line = line == "" and line or line .. " · "
      table.insert(marks, { 0, #line, #line + #said, tone and tone[2] or "TeamwrightMeta" })
      line = line .. said
    end
    sheet:line(line, nil, marks)
  end,
}
-- Their title is in what they draw.
local TITLED = { diff = true, link = true }

---@param part teamwright.Part
---@return string what is seen of it while it is folded and has no title
local function summary(part)
  if part.kind == "table" then
    local cells = part.data.rows[1] and part.data.rows[1].cells or {}
    return text.joined(vim.tbl_map(function(cell)
      return cell.text
    end, cells)) .. " …"
  elseif part.kind == "chips" then
    return text.joined(vim.tbl_map(function(chip)
      return chip.label
    end, part.data.chips))
  end
  return text.one_line(part.text, 80)
end

---@param part teamwright.Part
function Sheet:part(part)
  self.current = part.part
  local draw = KINDS[part.kind] or KINDS.plain
  local title = not TITLED[part.kind] and part.title
  if part.folded and not TITLED[part.kind] then
    self:line("▸ " .. (title or summary(part)), "TeamwrightMeta")
    self:fold_from(#self.lines - 1, true, function()
      draw(self, part)
    end)
    self.ends_with = nil
  else
    if title and not (part.kind == "table" and has_head(part.data)) then
      self:line(title, "TeamwrightMeta")
    end
    draw(self, part)
  end
  if part.truncated then
    self:line("…", "TeamwrightMeta")
  end
  self.current = nil
end

---@param tail? string
---@return teamwright.Block
function Sheet:block(tail)
  return { lines = self.lines, marks = self.marks, folds = self.folds, parts = self.parts, tail = tail }
end

return Sheet
