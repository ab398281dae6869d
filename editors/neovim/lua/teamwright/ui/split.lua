-- The side split: the transcript above with a bar, the composer below. Opening it leaves the cursor where it is.
local Pane = require("teamwright.ui.pane")
local TranscriptView = require("teamwright.ui.transcript_view")
local config = require("teamwright.config")
local sessions = require("teamwright.sessions")
local status = require("teamwright.ui.status")

local M = {}

---@type teamwright.TranscriptView?
local view

---@param bufnr integer
---@return integer? a window of this tab
local function window_of(bufnr)
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(window)
    return vim.api.nvim_win_get_buf(window) == bufnr
  end)
end

local function draw_bar()
  local window = view and window_of(view.pane.bufnr)
  if window then
    vim.wo[window].winbar = status.bar()
  end
end

---Shows the session at hand, and keeps the bar in step with its runs.
---@param shown teamwright.TranscriptView
local function show_current(shown)
  local session = sessions.current()
  shown:show(session and session.transcript)
  if session then
    session.transcript.watchers[M] = function(op)
      if not op or op.op == "upsert" and op.entry.kind == "run" then
        draw_bar()
      end
    end
  end
  draw_bar()
end

---@return teamwright.TranscriptView
local function transcript_view()
  if not view then
    view = TranscriptView.new("teamwright://transcript")
    view.on_earlier = function()
      local session = sessions.current()
      if session then
        sessions.read_earlier(session)
      end
    end
    local function map(lhs, rhs, desc)
      vim.keymap.set("n", lhs, rhs, { buffer = view.pane.bufnr, desc = desc })
    end
    map("i", "<Cmd>Teamwright chat<CR>", "Write a message")
    map("<S-Tab>", "<Cmd>Teamwright modes plan<CR>", "Plan mode")
    map("<C-o>", "<Cmd>Teamwright override<CR>", "Choose another presenter")
    map("<C-c>", "<Cmd>Teamwright cancel<CR>", "Cancel what is under way")
    map("q", "<Cmd>Teamwright chat close<CR>", "Close the split")
    show_current(view)
  end
  return view
end

---@return teamwright.Entry? what the transcript's cursor is on
function M.entry_at_cursor()
  local window = view and window_of(view.pane.bufnr)
  return window and (view:at_cursor(window)) or nil
end

---@return integer columns
local function width()
  local wanted = config.get().split.width
  return math.floor(wanted < 1 and vim.o.columns * wanted or wanted)
end

---@return integer window of the transcript
---@return integer window of the composer
function M.open()
  local composer = require("teamwright.ui.composer")
  local bufnr = transcript_view().pane.bufnr
  local upper = window_of(bufnr)
  if not upper then
    upper = vim.api.nvim_open_win(bufnr, false, { split = config.get().split.position, win = -1, width = width() })
    Pane.dress(upper)
    vim.wo[upper].winfixwidth = true
    vim.wo[upper].statusline = " Teamwright"
    vim.api.nvim_win_set_cursor(upper, { vim.api.nvim_buf_line_count(bufnr), 0 })
  end
  local lower = window_of(composer.buffer())
  if not lower then
    local height = config.get().split.composer_height
    lower = vim.api.nvim_open_win(composer.buffer(), false, { split = "below", win = upper, height = height })
    composer.dress(lower)
  end
  draw_bar()
  return upper, lower
end

function M.close()
  for _, bufnr in ipairs({ transcript_view().pane.bufnr, require("teamwright.ui.composer").buffer() }) do
    local window = window_of(bufnr)
    if window then
      vim.api.nvim_win_close(window, false)
    end
  end
end

---To be called when something has changed that the bar shows and no session tells.
M.refresh = draw_bar

table.insert(sessions.watchers, function(news)
  if news == "current" and view then
    return show_current(view)
  end
  draw_bar()
end)

return M
