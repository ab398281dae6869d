-- Messages to the user. What does not fit one line would stop the user at a prompt, so it is shown in a corner instead.
local M = {}

local SHOWN_MS = 10000
-- Two messages at once are more than one line, too.
local AT_ONCE_MS = 200
local GROUPS = { [vim.log.levels.ERROR] = "DiagnosticError", [vim.log.levels.WARN] = "DiagnosticWarn" }

---@return boolean whether messages go to the editor's last line, and not to a plugin: what is built in has no file
local function is_plain()
  local source = debug.getinfo(vim.notify, "S").source
  return not (vim.startswith(source, "@") and vim.uv.fs_stat(source:sub(2)))
end

---What is shown in the corner now: newer messages come below.
---@type { window?: integer, messages: string[] }
local corner = { messages = {} }

---@param lines string[]
---@return integer width
---@return integer height with the lines wrapped
local function extent(lines)
  local widest, height = 1, 0
  for _, line in ipairs(lines) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line))
  end
  local width = math.min(widest, math.floor(vim.o.columns * 0.6))
  for _, line in ipairs(lines) do
    height = height + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  return width, math.min(height, vim.o.lines - 4)
end

local function close_corner()
  if corner.window and vim.api.nvim_win_is_valid(corner.window) then
    vim.api.nvim_win_close(corner.window, true)
  end
  corner.window = nil
end

---@param level integer
local function draw_corner(level)
  close_corner()
  local lines = vim.split(table.concat(corner.messages, "\n"), "\n", { plain = true })
  local width, height = extent(lines)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].modifiable = true
  vim.bo[bufnr].bufhidden = "wipe"
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  corner.window = vim.api.nvim_open_win(bufnr, false, {
    relative = "editor",
    anchor = "SE",
    row = vim.o.lines - vim.o.cmdheight - 1,
    col = vim.o.columns,
    width = width,
    height = height,
    style = "minimal",
    border = "rounded",
    focusable = false,
    noautocmd = true,
    zindex = 200,
  })
  vim.wo[corner.window].wrap, vim.wo[corner.window].linebreak = true, true
  vim.wo[corner.window].winhighlight = "NormalFloat:" .. (GROUPS[level] or "NormalFloat")
end

---@param said string
---@param level integer
local function show_in_corner(said, level)
  table.insert(corner.messages, said)
  draw_corner(level)
  vim.defer_fn(function()
    table.remove(corner.messages, 1)
    if #corner.messages == 0 then
      close_corner()
    end
  end, SHOWN_MS)
end

local last_said = 0

---What stands on the last line, until it has been there long enough to be read.
---@type { said: string, level: integer, at: integer }?
local on_last_line

---@param said string
---@param level integer
local function show_on_last_line(said, level)
  on_last_line = { said = said, level = level, at = vim.uv.now() }
  vim.notify(said, level, { title = "Teamwright" })
end

-- From now on the last line belongs to the mode, which wipes out what was said a moment ago.
vim.api.nvim_create_autocmd("InsertEnter", {
  group = vim.api.nvim_create_augroup("teamwright.notify", {}),
  callback = function()
    local wiped = on_last_line
    on_last_line = nil
    if wiped and is_plain() and vim.uv.now() - wiped.at < SHOWN_MS then
      show_in_corner(wiped.said, wiped.level)
    end
  end,
})

---@param level integer
---@return fun(text: string)
local function at(level)
  return function(text)
    vim.schedule(function()
      local said = "Teamwright: " .. text
      -- While text is typed, the last line belongs to the mode.
      local is_typing = vim.api.nvim_get_mode().mode:find("^[iR]") ~= nil
      local is_alone = vim.uv.now() - last_said > AT_ONCE_MS
      last_said = vim.uv.now()
      local is_short = not said:find("\n") and vim.fn.strdisplaywidth(said) <= vim.v.echospace
      local fits = is_alone and is_short and not is_typing
      if fits or not is_plain() then
        show_on_last_line(said, level)
      else
        show_in_corner(said, level)
      end
    end)
  end
end

M.info = at(vim.log.levels.INFO)
M.warn = at(vim.log.levels.WARN)
M.error = at(vim.log.levels.ERROR)

return M
