-- A read-only buffer made of blocks, one below the other. A block is replaced, taken away or grows at its end; nothing
-- else moves, and a window follows the end only while its cursor is there.
local highlight = require("teamwright.ui.highlight")
local text = require("teamwright.ui.text")

---@class teamwright.Mark
---@field [1] integer line of the block, from 0
---@field [2] integer first byte
---@field [3] integer byte after the last, -1 for the end of the line
---@field [4]? string highlight group
---@field [5]? string the character as which it is shown, whatever the highlighting would hide

---@class teamwright.Block
---@field lines string[]
---@field marks teamwright.Mark[]
---@field folds table<integer, string> of lines, from 0, what 'foldexpr' says
---@field parts table<integer, string> of lines, from 0, which part of the entry they show
---@field tail? string the part whose text the block ends with, so that it can grow

---@class teamwright.PlacedBlock: teamwright.Block
---@field id string
---@field start integer line of the buffer, from 0
---@field height integer
---@field index integer

---@class teamwright.Pane
---@field bufnr integer
---@field blocks teamwright.PlacedBlock[]
---@field by_id table<string, teamwright.PlacedBlock>
local Pane = {}
Pane.__index = Pane

local NAMESPACE = vim.api.nvim_create_namespace("teamwright.pane")

---@type table<integer, teamwright.Pane>
local panes = {}

---@param name string
---@param filetype string
---@return teamwright.Pane
function Pane.new(name, filetype)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].bufhidden = "hide"
  vim.bo[bufnr].undolevels = -1
  vim.bo[bufnr].filetype = filetype
  highlight.markdown(bufnr)
  local pane = setmetatable({ bufnr = bufnr, blocks = {}, by_id = {} }, Pane)
  panes[bufnr] = pane
  return pane
end

---@return integer[] windows whose cursor is at the end
function Pane:_following()
  local last = vim.api.nvim_buf_line_count(self.bufnr)
  return vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_cursor(window)[1] == last
  end, vim.fn.win_findbuf(self.bufnr))
end

---@return integer lines of all blocks
function Pane:_height()
  local last = self.blocks[#self.blocks]
  return last and last.start + last.height or 0
end

---@param edit fun()
function Pane:_edit(edit)
  local following = self:_following()
  vim.bo[self.bufnr].modifiable = true
  edit()
  vim.bo[self.bufnr].modifiable = false
  local last = vim.api.nvim_buf_line_count(self.bufnr)
  for _, window in ipairs(following) do
    vim.api.nvim_win_set_cursor(window, { last, 0 })
  end
end

---Where a block has shrunk, what is above comes down again: no room stays empty below the end.
---@param window integer
local function fill(window)
  local height = vim.api.nvim_win_get_height(window) - (vim.wo[window].winbar ~= "" and 1 or 0)
  local top = vim.fn.line("w0", window)
  local first = top
  while first > 1 and vim.api.nvim_win_text_height(window, { start_row = first - 2 }).all <= height do
    first = first - 1
  end
  if first < top then
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview({ topline = first })
    end)
  end
end

---@param from integer index of the first block whose start may be wrong
function Pane:_settle(from)
  local start = from > 1 and self.blocks[from - 1].start + self.blocks[from - 1].height or 0
  for index = from, #self.blocks do
    local block = self.blocks[index]
    block.index, block.start = index, start
    start = start + block.height
  end
end

---@param block teamwright.PlacedBlock
function Pane:_mark(block)
  vim.api.nvim_buf_clear_namespace(self.bufnr, NAMESPACE, block.start, block.start + block.height)
  for _, mark in ipairs(block.marks) do
    local row = block.start + mark[1]
    local line = block.lines[mark[1] + 1]
    vim.api.nvim_buf_set_extmark(self.bufnr, NAMESPACE, row, mark[2], {
      end_col = mark[3] < 0 and #line or math.min(mark[3], #line),
      hl_group = mark[4],
      conceal = mark[5],
      priority = mark[5] and 200 or 150,
    })
  end
end

---@param id string
---@param block teamwright.Block
---@param place? integer among the blocks, for a new one; otherwise it goes to the end
function Pane:upsert(id, block, place)
  block.lines = text.each_on_one_line(block.lines)
  local known = self.by_id[id]
  local placed = known or { id = id, lines = {}, height = 0, start = 0 }
  local same = known and vim.deep_equal(known.lines, block.lines) and vim.deep_equal(known.folds, block.folds)
  if not known then
    place = math.min(place or math.huge, #self.blocks + 1)
    table.insert(self.blocks, place, placed)
    self.by_id[id] = placed
    self:_settle(place)
  end
  -- A buffer is never without a line: the first lines take the place of the empty one.
  local first = placed.start
  local last = self:_height() == 0 and -1 or placed.start + placed.height
  placed.lines, placed.marks, placed.folds = block.lines, block.marks, block.folds
  placed.parts, placed.tail = block.parts, block.tail
  if same then
    return self:_mark(placed)
  end
  placed.height = #block.lines
  self:_settle(placed.index)
  self:_edit(function()
    vim.api.nvim_buf_set_lines(self.bufnr, first, last, false, block.lines)
  end)
  self:_mark(placed)
  for _, window in ipairs(self:_following()) do
    fill(window)
  end
end

---@param id string
function Pane:remove(id)
  local block = self.by_id[id]
  if not block then
    return
  end
  table.remove(self.blocks, block.index)
  self.by_id[id] = nil
  self:_settle(block.index)
  self:_edit(function()
    vim.api.nvim_buf_set_lines(self.bufnr, block.start, block.start + block.height, false, {})
  end)
end

---@param id string
---@param part string
---@param said string
---@return boolean whether the block ends with that part; if not, it is to be drawn anew
function Pane:append(id, part, said)
  local block = self.by_id[id]
  if not block or block.tail ~= part then
    return false
  end
  highlight.rest_if_long(self.bufnr)
  local added = vim.split(said, "\n", { plain = true })
  local row = block.start + block.height - 1
  local last = block.lines[#block.lines]
  self:_edit(function()
    vim.api.nvim_buf_set_text(self.bufnr, row, #last, row, #last, added)
  end)
  block.lines[#block.lines] = last .. added[1]
  vim.list_extend(block.lines, added, 2)
  block.height = #block.lines
  self:_settle(block.index)
  return true
end

---All blocks anew, in one edit.
---@param blocks { id: string, block: teamwright.Block }[]
function Pane:replace(blocks)
  self.blocks, self.by_id = {}, {}
  local lines = {}
  for index, each in ipairs(blocks) do
    local shown = text.each_on_one_line(each.block.lines)
    local placed = vim.tbl_extend("force", each.block, { id = each.id, index = index, lines = shown })
    placed.start, placed.height = #lines, #shown
    self.blocks[index], self.by_id[each.id] = placed, placed
    vim.list_extend(lines, shown)
  end
  self:_edit(function()
    vim.api.nvim_buf_set_lines(self.bufnr, 0, -1, false, lines)
  end)
  for _, placed in ipairs(self.blocks) do
    self:_mark(placed)
  end
end

---@param row integer from 0
---@return teamwright.PlacedBlock?
function Pane:at(row)
  local low, high = 1, #self.blocks
  while low <= high do
    local middle = math.floor((low + high) / 2)
    local block = self.blocks[middle]
    if row < block.start then
      high = middle - 1
    elseif row >= block.start + block.height then
      low = middle + 1
    else
      return block
    end
  end
  return nil
end

---For 'foldexpr'.
---@return string
function Pane.fold()
  local pane = panes[vim.api.nvim_get_current_buf()]
  local block = pane and pane:at(vim.v.lnum - 1)
  return block and block.folds[vim.v.lnum - 1 - block.start] or "0"
end

---@param window integer
function Pane.dress(window)
  local options = {
    wrap = true,
    linebreak = true,
    breakindent = true,
    number = false,
    relativenumber = false,
    signcolumn = "no",
    foldcolumn = "0",
    spell = false,
    list = false,
    cursorline = false,
    conceallevel = 2,
    concealcursor = "nc",
    foldmethod = "expr",
    foldexpr = "v:lua.require'teamwright.ui.pane'.fold()",
    foldlevel = 0,
    foldtext = "",
    fillchars = "fold: ,eob: ",
  }
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { win = window, scope = "local" })
  end
end

return Pane
