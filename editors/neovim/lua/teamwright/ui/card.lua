-- A floating card in the middle of the screen that the user asked for: it takes the cursor, and gives it back. It shows
-- what is to be decided with a key for each choice; closing it chooses nothing.
local entries = require("teamwright.ui.entries")
local sessions = require("teamwright.sessions")
local text = require("teamwright.ui.text")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("teamwright.card")

---@type { window: integer, decisionId?: string }?
local shown

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

---@param title string
---@param lines string[]
---@return integer window
---@return integer bufnr
function M.show(title, lines)
  vim.cmd.stopinsert()
  lines = text.each_on_one_line(lines)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].filetype = "teamwright-card"
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
  vim.wo[window].winhighlight = "FloatBorder:TeamwrightDecision,FloatTitle:TeamwrightDecision"
  for _, lhs in ipairs({ "q", "<Esc>" }) do
    vim.keymap.set("n", lhs, "<Cmd>close<CR>", { buffer = bufnr, nowait = true, desc = "Close" })
  end
  return window, bufnr
end

local function close()
  if shown and vim.api.nvim_win_is_valid(shown.window) then
    vim.api.nvim_win_close(shown.window, true)
  end
  shown = nil
end

---@param choices teamwright.Offer[]
---@return string[]
local function key_lines(choices)
  local lines = vim.tbl_map(function(choice)
    return (" %s  %s"):format(choice.key, choice.label)
  end, choices)
  table.insert(lines, " q  Not now")
  return lines
end

---@param details string[]
---@param keys string[]
---@return string[] lines
---@return integer where the keys begin, from 0
local function arranged(details, keys)
  local below = vim.list_extend(vim.list_extend(vim.list_slice(details), { "" }), keys)
  local _, rows = extent(below)
  if rows <= vim.o.lines - 6 then
    return below, #details + 1
  end
  -- Too long to be seen at once: the keys come first.
  return vim.list_extend(vim.list_extend(vim.list_slice(keys), { "" }), details), 0
end

---@param entry teamwright.Entry
---@param choices teamwright.Offer[]
function M.open(entry, choices)
  close()
  local keys = key_lines(choices)
  local lines, first = arranged(entries.details(entry), keys)
  local window, bufnr = M.show(entry.title or "", lines)
  shown = { window = window, decisionId = entry.state == "waiting" and entry.decisionId or nil }
  for row = first, first + #keys - 1 do
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, row, 1, { end_col = 2, hl_group = "TeamwrightKey" })
  end
  for _, choice in ipairs(choices) do
    vim.keymap.set("n", choice.key, function()
      close()
      choice.run()
    end, { buffer = bufnr, nowait = true, desc = choice.label })
  end
end

-- What was decided elsewhere is no longer asked.
table.insert(sessions.watchers, function(news)
  if news == "decisions" and shown and shown.decisionId and not sessions.decisions[shown.decisionId] then
    close()
  end
end)

return M
