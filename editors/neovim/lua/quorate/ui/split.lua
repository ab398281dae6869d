-- The side split: the transcript above, the composer below. Opening it leaves the cursor where it is.
local config = require("quorate.config")
local conversation = require("quorate.conversation")
local Pane = require("quorate.ui.pane")
local StreamView = require("quorate.ui.stream_view")
local winbar = require("quorate.ui.winbar")

local M = {}

---@type quorate.StreamView?
local transcript

---@return quorate.StreamView
local function view()
  if not transcript then
    transcript = StreamView.new("quorate://transcript", "")
    transcript:show(conversation.current())
    require("quorate.ui.transcript_keys").map(transcript)
  end
  return transcript
end

---@param bufnr integer
---@return integer? a window of this tab
local function window_of(bufnr)
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(window)
    return vim.api.nvim_win_get_buf(window) == bufnr
  end)
end

---@return integer? window
function M.window()
  return transcript and window_of(transcript.pane.bufnr)
end

---@return quorate.Entry? what the transcript's cursor is on
function M.entry_at_cursor()
  local window = M.window()
  return window and view():entry_at_cursor(window)
end

---@return integer columns
local function width()
  local wanted = config.get().split.width
  return math.floor(wanted < 1 and vim.o.columns * wanted or wanted)
end

---@return integer window of the transcript
---@return integer window of the composer
function M.open()
  local composer = require("quorate.ui.composer")
  local upper = window_of(view().pane.bufnr)
  if not upper then
    upper = vim.api.nvim_open_win(view().pane.bufnr, false, {
      split = config.get().split.position,
      win = -1,
      width = width(),
    })
    Pane.dress(upper)
    vim.wo[upper].winfixwidth = true
    vim.wo[upper].statusline = " Quorate"
    vim.api.nvim_win_set_cursor(upper, { vim.api.nvim_buf_line_count(view().pane.bufnr), 0 })
  end
  local lower = window_of(composer.buffer())
  if not lower then
    lower = vim.api.nvim_open_win(composer.buffer(), false, {
      split = "below",
      win = upper,
      height = config.get().split.composer_height,
    })
    composer.dress(lower)
  end
  winbar.draw()
  return upper, lower
end

function M.close()
  for _, bufnr in ipairs({ view().pane.bufnr, require("quorate.ui.composer").buffer() }) do
    local window = window_of(bufnr)
    if window then
      vim.api.nvim_win_close(window, false)
    end
  end
end

table.insert(conversation.on_changed, function(session)
  if transcript then
    transcript:show(session)
  end
  winbar.draw()
end)

winbar.of(M.window)

return M
