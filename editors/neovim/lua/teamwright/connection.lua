-- The connection to the server: made when first needed, and made anew when the server dies.
local config = require("teamwright.config")
local notify = require("teamwright.notify")
local server = require("teamwright.server")
local workspace = require("teamwright.workspace")

local M = {}

local RESTARTS, RESTART_WINDOW_MS = 3, 60000

---@class teamwright.Waiter
---@field ready fun(client: vim.lsp.Client)
---@field failed fun(why: string)

---@class teamwright.ConnectionState
---@field asking boolean whether the program is being asked who it is
---@field id? integer from the start on
---@field client? vim.lsp.Client from its first answer on
---@field leaving boolean
---@field waiting teamwright.Waiter[]
---@field deaths integer[] when it ended unasked

---@type teamwright.ConnectionState
local state = { asking = false, leaving = false, waiting = {}, deaths = {} }

---Who wants to know that a connection stands (again), and that it is gone.
---@type (fun())[]
M.on_connected, M.on_lost = {}, {}

---What comes off the wire, in one form for every Neovim: a null is a field that is not there.
---@generic T
---@param value T
---@return T the same table
function M.without_nulls(value)
  if type(value) ~= "table" then
    return value
  end
  for key, each in pairs(value) do
    if each == vim.NIL then
      value[key] = nil
    elseif type(each) == "table" then
      M.without_nulls(each)
    end
  end
  return value
end

---@param listeners (fun())[]
local function tell(listeners)
  for _, listener in ipairs(listeners) do
    listener()
  end
end

---@param settle fun(waiter: teamwright.Waiter)
local function settle_all(settle)
  local waiting = state.waiting
  state.waiting = {}
  for _, waiter in ipairs(waiting) do
    settle(waiter)
  end
end

---@param why string
local function failed(why)
  state.id, state.client = nil, nil
  settle_all(function(waiter)
    waiter.failed(why)
  end)
end

---@return integer how often it ended within the last minute, this time included
local function count_death()
  local now = vim.uv.now()
  table.insert(state.deaths, now)
  state.deaths = vim.tbl_filter(function(at)
    return now - at < RESTART_WINDOW_MS
  end, state.deaths)
  return #state.deaths
end

---@param code integer
---@param signal integer
local function ended(code, signal)
  local was_ready = state.client ~= nil
  state.id, state.client = nil, nil
  if state.leaving then
    return
  end
  tell(M.on_lost)
  local how = signal ~= 0 and ("signal " .. signal) or ("code " .. code)
  if not was_ready then
    local said = "`%s` ended at once (%s), so it is no Teamwright server or cannot start; see `:Teamwright log`."
    return failed(said:format(table.concat(server.find() or {}, " "), how))
  end
  local deaths = count_death()
  if deaths > RESTARTS then
    local often =
      "the server ended %d times in a minute (%s); see `:Teamwright log`. Any :Teamwright command starts it."
    return notify.error(often:format(deaths, how))
  end
  notify.warn(("the server ended (%s); starting it again."):format(how))
  M.ensure(function() end)
end

---@param client vim.lsp.Client
local function initialized(client)
  local spoken = vim.tbl_get(client.server_capabilities, "experimental", "teamwright", "protocolVersion")
  if spoken ~= server.PROTOCOL_VERSION then
    local apart = "the server speaks protocol %s and this plugin %d; update both."
    failed(apart:format(spoken or "unknown", server.PROTOCOL_VERSION))
    client:stop(true)
    return
  end
  require("teamwright.events")
  state.id, state.client = client.id, client
  settle_all(function(waiter)
    waiter.ready(client)
  end)
  tell(M.on_connected)
end

---@param dispatchers vim.lsp.rpc.Dispatchers
---@return vim.lsp.rpc.PublicClient
local function spawn(dispatchers)
  local argv = assert(server.find())
  -- How it ended is ours to tell; the editor's own message would stop the user at a prompt.
  local quiet = vim.tbl_extend("force", dispatchers, {
    on_exit = function(code, signal)
      dispatchers.on_exit(0, 0)
      vim.schedule(function()
        ended(code, signal)
      end)
    end,
  })
  return vim.lsp.rpc.start(argv, quiet, { cwd = server.own_folder(), env = config.get().env })
end

---@return vim.lsp.Config what `vim.lsp.enable("teamwright")` needs to know
function M.lsp_config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { teamwright = { protocolVersion = server.PROTOCOL_VERSION } }
  return {
    cmd = spawn,
    root_dir = function(bufnr, on_dir)
      local argv = workspace.holds(bufnr) and server.find()
      if argv then
        server.identify(argv, function(why)
          if not why then
            on_dir(workspace.root())
          end
        end)
      end
    end,
    capabilities = capabilities,
    before_init = function(params)
      local options = config.get()
      params.initializationOptions = {
        editor = "neovim",
        trusted = workspace.is_trusted(),
        configPath = options.config_path,
        stateDir = options.state_dir,
        transcript = true,
      }
    end,
    on_init = initialized,
    commands = require("teamwright.actions").of_code_actions(),
    handlers = {
      ["teamwright/event"] = function(_, record)
        require("teamwright.events").take(M.without_nulls(record))
      end,
      ["workspace/applyEdit"] = function(_, params, context)
        return require("teamwright.apply_edit").handle(params, context)
      end,
    },
  }
end

---@param id integer
local function watch_start(id)
  vim.defer_fn(function()
    if state.id == id and not state.client then
      failed("the server did not answer in time, so it may be no Teamwright server; see `:Teamwright log`.")
      local client = vim.lsp.get_client_by_id(id)
      if client then
        client:stop(true)
      end
    end
  end, config.get().start_timeout_ms)
end

local function start()
  local resolved = vim.deepcopy(vim.lsp.config.teamwright)
  resolved.root_dir = workspace.root()
  state.id = vim.lsp.start(resolved, { attach = false, silent = true })
  if not state.id then
    return failed(
      ("`%s` could not be started; see `:checkhealth teamwright`."):format(table.concat(server.find() or {}, " "))
    )
  end
  watch_start(state.id)
  -- From here on the editor itself attaches the workspace's buffers, those that are open and those to come.
  vim.lsp.enable("teamwright")
end

---@param ready fun(client: vim.lsp.Client)
---@param on_failure? fun(why: string) without it the user is told
function M.ensure(ready, on_failure)
  if state.client then
    return ready(state.client)
  end
  on_failure = on_failure or notify.error
  local argv, why = server.find()
  if not argv then
    return on_failure(why --[[@as string]])
  end
  table.insert(state.waiting, { ready = ready, failed = on_failure })
  if state.id or state.asking then
    return
  end
  state.asking = true
  server.identify(argv, function(objection)
    state.asking = false
    if objection then
      failed(objection)
    elseif not state.id then
      start()
    end
  end)
end

---@return vim.lsp.Client? only when it is up
function M.client()
  return state.client
end

vim.api.nvim_create_autocmd("VimLeavePre", {
  group = vim.api.nvim_create_augroup("teamwright.connection", {}),
  callback = function()
    state.leaving = true
  end,
})

return M
