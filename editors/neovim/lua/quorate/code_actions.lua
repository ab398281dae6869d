-- What the team does with a piece of code, from a command of ours or from `vim.lsp.buf.code_action()`.
local M = {}

local WITH_TEAM = { "quorate.review", "quorate.explain", "quorate.fix", "quorate.test" }

---@param command quorate.CommandName
---@param params table
function M.launch(command, params)
  require("quorate.client").request(command, params, M.launched)
end

---@param result quorate.RunLaunched
function M.launched(result)
  require("quorate.conversation").follow(result.sessionId)
  require("quorate.ui.split").open()
end

---The editor would send these by itself, and nobody would follow the session that they begin.
---@return table<string, fun(command: lsp.Command)>
function M.commands()
  local commands = {
    ["quorate.finding.dismiss"] = function(command)
      require("quorate.client").request("quorate.finding.dismiss", command.arguments[1])
    end,
  }
  for _, name in ipairs(WITH_TEAM) do
    commands[name] = function(command)
      require("quorate.house")
      M.launch(name --[[@as quorate.CommandName]], command.arguments[1])
    end
  end
  return commands
end

return M
