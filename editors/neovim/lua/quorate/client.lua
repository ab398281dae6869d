-- The connection to the server: started when first needed, asked by commands, started anew when it dies.
local config = require("quorate.config")
local notify = require("quorate.notify")
local server = require("quorate.server")
local wire = require("quorate.wire")
local workspace = require("quorate.workspace")

local M = {}

local PROTOCOL_VERSION = 1
local RESTARTS, RESTART_WINDOW_MS = 3, 60000

---@class quorate.Fault
---@field code integer
---@field message string
---@field data? table

---@class quorate.Waiter
---@field ready fun(client: vim.lsp.Client)
---@field failed fun(why: string)

---@class quorate.ClientState
---@field id? integer from the start on
---@field client? vim.lsp.Client from its first answer on
---@field leaving boolean
---@field waiting quorate.Waiter[] for the connection
---@field asked table<integer, fun(fault: quorate.Fault)> requests under way, by their number
---@field deaths integer[] when it ended unasked

---@type quorate.ClientState
local state = { leaving = false, waiting = {}, asked = {}, deaths = {} }

---Who wants to know that a connection stands (again): it opens what it showed before.
---@type (fun())[]
M.on_connected = {}

---@param settle fun(waiter: quorate.Waiter)
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

---What was asked of a server that is gone will not be answered any more.
local function give_up_requests()
  local asked = state.asked
  state.asked = {}
  for _, give_up in pairs(asked) do
    give_up({ code = 503, message = "the server ended before it answered; try again." })
  end
end

---@param code integer
---@param signal integer
local function ended(code, signal)
  local was_ready = state.client ~= nil
  state.id, state.client = nil, nil
  if state.leaving then
    return
  end
  give_up_requests()
  local how = signal ~= 0 and ("signal " .. signal) or ("code " .. code)
  local command = table.concat(server.find() or {}, " ")
  if not was_ready then
    failed(
      ("`%s` ended at once (%s), so it is no Quorate server or cannot start; see `:Quorate log`."):format(command, how)
    )
    return
  end
  local now = vim.uv.now()
  state.deaths = vim.tbl_filter(function(at)
    return now - at < RESTART_WINDOW_MS
  end, state.deaths)
  table.insert(state.deaths, now)
  if #state.deaths > RESTARTS then
    notify.error(
      ("the server ended %d times in a minute (%s); see `:Quorate log`. Any :Quorate command starts it."):format(
        #state.deaths,
        how
      )
    )
    return
  end
  notify.warn(("the server ended (%s); starting it again."):format(how))
  M.ensure(function() end)
end

---@param client vim.lsp.Client
local function initialized(client)
  local spoken = vim.tbl_get(client.server_capabilities, "experimental", "quorate", "protocolVersion")
  if spoken ~= PROTOCOL_VERSION then
    failed(
      ("the server speaks protocol %s and this plugin %d; update both."):format(spoken or "unknown", PROTOCOL_VERSION)
    )
    client:stop(true)
    return
  end
  state.id, state.client = client.id, client
  settle_all(function(waiter)
    waiter.ready(client)
  end)
  for _, tell in ipairs(M.on_connected) do
    tell()
  end
end

---@return vim.lsp.Config what `vim.lsp.enable("quorate")` needs to know
function M.lsp_config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { quorate = { protocolVersion = PROTOCOL_VERSION } }
  return {
    cmd = function(dispatchers)
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
      return vim.lsp.rpc.start(argv, quiet, { cwd = workspace.root(), env = config.get().env })
    end,
    root_dir = function(bufnr, on_dir)
      if workspace.holds(bufnr) and server.find() then
        on_dir(workspace.root())
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
      }
    end,
    on_init = initialized,
    commands = require("quorate.code_actions").commands(),
    handlers = {
      ["quorate/event"] = function(_, record)
        require("quorate.store").apply(wire.without_nulls(record))
      end,
      ["workspace/applyEdit"] = function(_, params, context)
        return require("quorate.apply_edit").handle(params, context)
      end,
    },
  }
end

---@param id integer
local function watch_start(id)
  vim.defer_fn(function()
    if state.id == id and not state.client then
      failed("the server did not answer in time, so it may be no Quorate server; see `:Quorate log`.")
      local client = vim.lsp.get_client_by_id(id)
      if client then
        client:stop(true)
      end
    end
  end, config.get().start_timeout_ms)
end

local function start()
  local resolved = vim.deepcopy(vim.lsp.config.quorate)
  resolved.root_dir = workspace.root()
  state.id = vim.lsp.start(resolved, { attach = false, silent = true })
  if not state.id then
    failed(("`%s` could not be started; see `:checkhealth quorate`."):format(table.concat(server.find() or {}, " ")))
    return
  end
  watch_start(state.id)
  -- From here on the editor itself attaches the workspace's buffers, those that are open and those to come.
  vim.lsp.enable("quorate")
end

---@param ready fun(client: vim.lsp.Client)
---@param on_failure? fun(why: string)
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
  if not state.id then
    start()
  end
end

---@return vim.lsp.Client? only when it is up
function M.connected()
  return state.client
end

---@param fault quorate.Fault
---@return string one sentence, with the fields that are wrong
function M.explain(fault)
  local errors = vim.tbl_get(fault, "data", "errors") or {}
  local fields = vim.tbl_map(function(each)
    return ("%s %s"):format(each.path, each.message)
  end, errors)
  local text = #fields > 0 and ("%s (%s)"):format(fault.message, table.concat(fields, "; ")) or fault.message
  if fault.code == 403 and not workspace.is_trusted() then
    text = text .. " This folder is not trusted; `:Quorate trust` trusts it."
  end
  return text
end

---@param command quorate.CommandName
---@param params table
---@param on_result? fun(result: table)
---@param on_fault? fun(fault: quorate.Fault) without it the user is told
function M.request(command, params, on_result, on_fault)
  on_fault = on_fault or function(fault)
    notify.error(M.explain(fault))
  end
  M.ensure(function(client)
    local arguments = { next(params) and params or vim.empty_dict() }
    local number = vim.uv.hrtime()
    local settled = false
    local function settle(fault, result)
      state.asked[number] = nil
      if settled then
        return
      end
      settled = true
      if fault then
        on_fault(wire.without_nulls(fault))
      elseif on_result then
        on_result(wire.without_nulls(result))
      end
    end
    state.asked[number] = settle
    client:request("workspace/executeCommand", { command = command, arguments = arguments }, settle)
    vim.defer_fn(function()
      settle({ code = 504, message = ("the server has not answered %s; see `:Quorate log`."):format(command) })
    end, config.get().request_timeout_ms)
  end, function(why)
    on_fault({ code = 503, message = why })
  end)
end

vim.api.nvim_create_autocmd("VimLeavePre", {
  group = vim.api.nvim_create_augroup("quorate.client", {}),
  callback = function()
    state.leaving = true
  end,
})

return M
