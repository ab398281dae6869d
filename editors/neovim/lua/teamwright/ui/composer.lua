-- Where messages are written. What was sent can be called back; what could not be sent is not lost.
local sessions = require("teamwright.sessions")

local M = {}

---@type integer?
local bufnr
---@type string[]
local history = {}
local recalled = 0

---@return string
local function written()
  return vim.trim(table.concat(vim.api.nvim_buf_get_lines(M.buffer(), 0, -1, false), "\n"))
end

---@param body string
local function write(body)
  vim.api.nvim_buf_set_lines(M.buffer(), 0, -1, false, vim.split(body, "\n", { plain = true }))
end

function M.send()
  local body = written()
  if body == "" then
    return
  end
  table.insert(history, body)
  recalled = #history + 1
  write("")
  sessions.say(body, {}, function()
    if written() == "" then
      write(body)
    end
  end)
end

---@param step integer
---@param edge integer the line from which the step leaves the text
---@param key string what the key does otherwise
local function recall(step, edge, key)
  return function()
    local at_edge = vim.api.nvim_win_get_cursor(0)[1] == (edge < 0 and vim.api.nvim_buf_line_count(0) or edge)
    local target = recalled + step
    if not at_edge or target < 1 or target > #history + 1 then
      return key
    end
    recalled = target
    vim.schedule(function()
      write(history[target] or "")
      vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(0), 0 })
      vim.cmd.startinsert({ bang = true })
    end)
    return ""
  end
end

local function map_keys()
  local function map(modes, lhs, rhs, desc, expr)
    vim.keymap.set(modes, lhs, rhs, { buffer = bufnr, desc = desc, expr = expr })
  end
  map("n", "<CR>", M.send, "Send")
  map({ "n", "i" }, "<C-s>", M.send, "Send")
  map({ "n", "i" }, "<Up>", recall(-1, 1, "<Up>"), "Earlier message", true)
  map({ "n", "i" }, "<Down>", recall(1, -1, "<Down>"), "Later message", true)
  map({ "n", "i" }, "<S-Tab>", "<Cmd>Teamwright modes plan<CR>", "Plan mode")
  map({ "n", "i" }, "<C-o>", "<Cmd>Teamwright override<CR>", "Choose another presenter")
  map("n", "<C-c>", "<Cmd>Teamwright cancel<CR>", "Cancel what is under way")
  map("n", "q", "<Cmd>Teamwright chat close<CR>", "Close the split")
end

---@return integer
function M.buffer()
  if not bufnr or not vim.api.nvim_buf_is_valid(bufnr) then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.bo[bufnr].modifiable = true
    vim.api.nvim_buf_set_name(bufnr, "teamwright://composer")
    vim.bo[bufnr].bufhidden = "hide"
    vim.bo[bufnr].filetype = "teamwright-composer"
    pcall(vim.treesitter.start, bufnr, "markdown")
    map_keys()
  end
  return bufnr
end

---@param window integer
function M.dress(window)
  local options = {
    wrap = true,
    linebreak = true,
    number = false,
    relativenumber = false,
    signcolumn = "no",
    winfixheight = true,
    winfixwidth = true,
    statusline = " Message",
    -- What matters most stands first, so it is the end that a narrow window cuts.
    winbar = "%#TeamwrightMeta# <C-s> sends, <CR> in Normal mode too; <S-Tab> plan mode%<",
    fillchars = "eob: ",
  }
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { win = window, scope = "local" })
  end
end

return M
