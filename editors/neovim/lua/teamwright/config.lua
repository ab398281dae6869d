-- What the user may set, with its defaults: `vim.g.teamwright = {…}` or `require("teamwright").setup({…})`.
local M = {}

---@class teamwright.SplitConfig
---@field position "left"|"right"
---@field width number columns, or a share of the screen below 1
---@field composer_height integer

---@class teamwright.Config
---@field cmd? string[] the server's command line, instead of the one that is found
---@field env table<string, string> added to the server's environment
---@field config_path? string a configuration to use instead of the discovered one
---@field state_dir? string where the server keeps its sessions
---@field install_from? string a wheel or a checkout for `:Teamwright install`, instead of what the plugin came with
---@field root_markers string[] what marks the workspace's folder, upwards from the current directory
---@field trusted "remembered"|boolean|fun(root: string): boolean whether the workspace may configure things
---@field decisions "card"|"select" how `:Teamwright approve` asks: in a floating card, or by `vim.ui.select`
---@field keymaps boolean the default key map
---@field start_timeout_ms integer
---@field request_timeout_ms integer
---@field split teamwright.SplitConfig

---@type teamwright.Config
M.defaults = {
  cmd = nil,
  env = {},
  config_path = nil,
  state_dir = nil,
  install_from = nil,
  root_markers = { ".teamwright", "teamwright.yaml", ".git" },
  trusted = "remembered",
  decisions = "card",
  keymaps = false,
  start_timeout_ms = 20000,
  request_timeout_ms = 30000,
  split = { position = "right", width = 0.42, composer_height = 5 },
}

-- A key's check, where its default's type does not say it all.
local CHECKS = {
  cmd = vim.islist,
  config_path = "string",
  install_from = "string",
  state_dir = "string",
  trusted = function(value)
    return value == "remembered" or type(value) == "boolean" or type(value) == "function"
  end,
  decisions = function(value)
    return value == "card" or value == "select"
  end,
}

---@type teamwright.Config?
local current

---@param options table
---@return string[] faults
local function faults_of(options)
  local faults = {}
  for key, value in pairs(options) do
    local check = CHECKS[key] or (M.defaults[key] ~= nil and type(M.defaults[key])) or nil
    if not check then
      table.insert(faults, ("there is no option %q"):format(key))
    elseif not pcall(vim.validate, key, value, check) then
      table.insert(faults, ("the option %q cannot be %s"):format(key, vim.inspect(value)))
    end
  end
  table.sort(faults)
  return faults
end

---@param options? table
function M.set(options)
  options = options or {}
  local faults = faults_of(options)
  if #faults > 0 then
    vim.notify("Teamwright: " .. table.concat(faults, "; ") .. ". See :help teamwright-options.", vim.log.levels.ERROR)
    for key in pairs(options) do
      if #faults_of({ [key] = options[key] }) > 0 then
        options[key] = nil
      end
    end
  end
  current = vim.tbl_deep_extend("force", M.defaults, options)
end

---@return teamwright.Config
function M.get()
  if not current then
    M.set(vim.deepcopy(vim.g.teamwright))
  end
  return current --[[@as teamwright.Config]]
end

return M
