-- The folder that the team works on, and whether the user trusts it.
local config = require("teamwright.config")

local M = {}

---@type string?
local root

---@param path string
---@return string with `/` alone; a `$` or `~` in a name is nothing but a character
local function plain(path)
  return vim.fs.normalize(path, { expand_env = false })
end

---The folder is settled once: sessions, files and trust all hang on it.
---@return string
function M.root()
  if not root then
    local here = vim.fn.getcwd()
    root = plain(vim.fs.root(here, config.get().root_markers) or here)
  end
  return root
end

---@param path string
---@return string shown relative to the workspace where it lies inside
function M.relative(path)
  return vim.fs.relpath(M.root(), plain(path)) or path
end

---@param bufnr integer
---@return boolean whether it is a file of this workspace
function M.holds(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  if vim.bo[bufnr].buftype ~= "" or name == "" or name:find("^%a[%w+.-]*://") then
    return false
  end
  return vim.fs.relpath(M.root(), plain(name)) ~= nil
end

---@return string
local function register()
  return vim.fs.joinpath(vim.fn.stdpath("data") --[[@as string]], "teamwright", "trusted.json")
end

---@return table<string, true>
local function remembered()
  local file = io.open(register(), "r")
  if not file then
    return {}
  end
  local ok, folders = pcall(vim.json.decode, file:read("*a"))
  file:close()
  return ok and type(folders) == "table" and folders or {}
end

---@return boolean
function M.is_trusted()
  local trusted = config.get().trusted
  if type(trusted) == "function" then
    return trusted(M.root()) == true
  end
  if trusted == "remembered" then
    return remembered()[M.root()] == true
  end
  return trusted == true
end

---@param trusted boolean
function M.remember(trusted)
  local folders = remembered()
  folders[M.root()] = trusted or nil
  vim.fn.mkdir(vim.fs.dirname(register()), "p")
  local file = assert(io.open(register(), "w"))
  file:write(vim.json.encode(next(folders) and folders or vim.empty_dict()))
  file:close()
end

return M
