-- Keeps a pane in step with one stream of a session.
local Pane = require("quorate.ui.pane")
local entries = require("quorate.ui.entries")
local store = require("quorate.store")

---@class quorate.StreamView
---@field pane quorate.Pane
---@field session? quorate.Session
---@field stream string
local StreamView = {}
StreamView.__index = StreamView

---@type table<integer, quorate.StreamView> by buffer
local views = {}

---@param name string the buffer's
---@param stream string
---@return quorate.StreamView
function StreamView.new(name, stream)
  local view = setmetatable({ pane = Pane.new(name, "quorate"), stream = stream }, StreamView)
  local bufnr = view.pane.bufnr
  views[bufnr] = view
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = bufnr,
    callback = function()
      views[bufnr] = nil
    end,
  })
  return view
end

---@param session? quorate.Session
function StreamView:show(session)
  self.session = session
  local stream = session and session.streams[self.stream]
  self.pane:replace(vim.tbl_map(function(entry)
    return {
      id = entry.id,
      block = entries.block(entry, session --[[@as quorate.Session]]),
    }
  end, stream and stream.order or {}))
end

---@return quorate.Entry? what the cursor of the window is on
function StreamView:entry_at_cursor(window)
  local block = self.pane:at(vim.api.nvim_win_get_cursor(window)[1] - 1)
  local stream = self.session and self.session.streams[self.stream]
  return block and stream and stream.by_id[block.id]
end

---@param change quorate.StoreChange
function StreamView:_take(change)
  if change.what == "opened" then
    return self:show(change.session)
  end
  if change.stream ~= self.stream then
    return
  end
  if change.what == "text" and self.pane.by_id[change.entry.id] then
    self.pane:append(change.entry.id, change.text)
  elseif change.what == "entry" or change.what == "text" then
    self.pane:upsert(change.entry.id, entries.block(change.entry, self.session))
  end
end

store.listen(function(change)
  for _, view in pairs(views) do
    if change.session and change.session == view.session then
      view:_take(change)
    end
  end
end)

return StreamView
