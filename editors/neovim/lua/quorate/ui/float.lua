-- A floating window in the middle of the screen that the user asked for: it takes the cursor, and gives it back.
require("quorate.ui.highlights")
local text = require("quorate.ui.text")

local M = {}

---@param lines string[]
---@return integer width
---@return integer rows that the lines take, wrapped
local function extent(lines)
  local width = math.min(math.max(60, math.floor(vim.o.columns * 0.6)), vim.o.columns - 4)
  local rows = 0
  for _, line in ipairs(lines) do
    rows = rows + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  return width, rows
end

---@param lines string[]
---@return boolean whether all of it can be seen at once
function M.fits(lines)
  local _, rows = extent(lines)
  return rows <= vim.o.lines - 6
end

---@param title string
---@param lines string[]
---@return integer window
---@return integer bufnr
function M.open(title, lines)
  vim.cmd.stopinsert()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, text.each_on_one_line(lines))
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].filetype = "quorate-card"
  local width, rows = extent(lines)
  local height = math.max(1, math.min(rows, vim.o.lines - 6))
  local window = vim.api.nvim_open_win(bufnr, true, {
    relative = "editor",
    width = width,
    height = height,
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
    style = "minimal",
    border = "rounded",
    title = (" %s "):format(text.one_line(title, width - 4)),
    title_pos = "center",
  })
  vim.wo[window].wrap, vim.wo[window].linebreak = true, true
  vim.wo[window].winhighlight = "FloatBorder:QuorateDecision,FloatTitle:QuorateDecision"
  for _, lhs in ipairs({ "q", "<Esc>" }) do
    vim.keymap.set("n", lhs, "<Cmd>close<CR>", { buffer = bufnr, nowait = true, desc = "Close" })
  end
  return window, bufnr
end

return M
