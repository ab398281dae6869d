-- Highlighting of Markdown. The parser reads a whole buffer again for every piece that is appended: in a long one it
-- rests while text streams in, and comes back when the stream pauses.
local M = {}

local LONG_LINES = 600
local PAUSE_MS = 300

---@type table<integer, uv.uv_timer_t> of buffers whose highlighting rests
local resting = {}

---@param bufnr integer
function M.start(bufnr)
  if not pcall(vim.treesitter.start, bufnr, "markdown") then
    vim.bo[bufnr].syntax = "markdown"
  end
end

---@param bufnr integer
local function wake(bufnr)
  resting[bufnr]:close()
  resting[bufnr] = nil
  if vim.api.nvim_buf_is_valid(bufnr) then
    M.start(bufnr)
  end
end

---To be called before text is appended.
---@param bufnr integer
function M.rest_if_long(bufnr)
  if not resting[bufnr] then
    if vim.api.nvim_buf_line_count(bufnr) < LONG_LINES or not vim.treesitter.highlighter.active[bufnr] then
      return
    end
    vim.treesitter.stop(bufnr)
    resting[bufnr] = assert(vim.uv.new_timer())
  end
  resting[bufnr]:start(PAUSE_MS, 0, function()
    vim.schedule(function()
      if resting[bufnr] and not resting[bufnr]:is_active() then
        wake(bufnr)
      end
    end)
  end)
end

return M
