-- The server's program: where it is, and whether it is ours. A name says nothing: others use it too.
local config = require("teamwright.config")

local M = {}

M.PROTOCOL_VERSION = 1

---@class teamwright.Identity what the program says of itself
---@field program string
---@field version string
---@field protocolVersion integer

---@type table<string, teamwright.Identity> programs that said who they are, by their command line
local known = {}

---@return string the folder of what `:Teamwright install` makes
function M.home()
  return vim.fs.joinpath(vim.fn.stdpath("data") --[[@as string]], "teamwright")
end

---@return string a folder to start programs in: what lies in the workspace is data, and must not be found by accident
function M.own_folder()
  vim.fn.mkdir(M.home(), "p")
  return M.home()
end

---@return string the virtual environment in it
function M.environment()
  return vim.fs.joinpath(M.home(), "server")
end

---@param program string
---@return string
function M.in_environment(program)
  local windows = vim.fn.has("win32") == 1
  return vim.fs.joinpath(M.environment(), windows and "Scripts" or "bin", windows and program .. ".exe" or program)
end

---@return string[]? argv
---@return string? why there is none, as a sentence to act on
function M.find()
  local cmd = config.get().cmd
  if cmd then
    if #cmd > 0 and vim.fn.executable(cmd[1]) == 1 then
      return cmd
    end
    local wrong = "the configured server command %q is not a program that can be run; correct `cmd` in your setup."
    return nil, wrong:format(cmd[1] or "")
  end
  -- The one that was installed for this plugin comes first: on the PATH anybody may be called that.
  for _, program in ipairs({ M.in_environment("teamwright"), "teamwright" }) do
    if vim.fn.executable(program) == 1 then
      return { vim.fn.exepath(program), "serve" }
    end
  end
  return nil, "the server is not installed; `:Teamwright install` sets it up."
end

---@param said string
---@return teamwright.Identity?
local function identity_in(said)
  local ok, identity = pcall(vim.json.decode, said)
  local is_ours = ok
    and type(identity) == "table"
    and identity.program == "teamwright"
    and type(identity.version) == "string"
    and type(identity.protocolVersion) == "number"
  return is_ours and identity or nil
end

---@param argv string[]
---@param identity? teamwright.Identity
---@return string? what is wrong with it, as a sentence to act on
local function objection(argv, identity)
  local program = table.concat(argv, " ", 1, #argv - 1)
  if not identity then
    local stranger = "`%s` is not Teamwright but another program of that name, so it is not started; "
      .. "`:Teamwright install` sets up the one that belongs to this plugin."
    return stranger:format(program)
  elseif identity.protocolVersion ~= M.PROTOCOL_VERSION then
    local apart =
      "`%s` speaks protocol %d and this plugin %d; `:Teamwright install` sets up the one that belongs to it."
    return apart:format(program, identity.protocolVersion, M.PROTOCOL_VERSION)
  end
end

---Asks the program who it is, once. A command line that does not end in `serve` cannot be asked: its greeting tells.
---@param argv string[]
---@param answer fun(why?: string, identity?: teamwright.Identity) without a why it may be started
function M.identify(argv, answer)
  local line = table.concat(argv, "\0")
  if known[line] or argv[#argv] ~= "serve" then
    return answer(nil, known[line])
  end
  local question = vim.list_extend(vim.list_slice(argv, 1, #argv - 1), { "--version", "--json" })
  local options = { text = true, timeout = config.get().start_timeout_ms, env = config.get().env, cwd = M.own_folder() }
  local function answered(done)
    local identity = done.code == 0 and identity_in(done.stdout or "") or nil
    known[line] = identity
    answer(objection(argv, identity), identity)
  end
  local ok = pcall(vim.system, question, options, vim.schedule_wrap(answered))
  if not ok then
    answer(("`%s` could not be started; see `:checkhealth teamwright`."):format(table.concat(argv, " ")))
  end
end

return M
