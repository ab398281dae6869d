-- What listens as long as the editor runs: notices, autocommands, and what waits for the user from before.
local client = require("quorate.client")
local connection = require("quorate.connection")
local notify = require("quorate.notify")
local store = require("quorate.store")
require("quorate.decisions")
require("quorate.findings")

local AUTOCOMMANDS = {
  ["turn.finished"] = "QuorateTurnFinished",
  ["run.started"] = "QuorateRunStarted",
  ["run.finished"] = "QuorateRunFinished",
  ["decision.requested"] = "QuorateDecisionRequested",
  ["decision.resolved"] = "QuorateDecisionResolved",
  ["changes.proposed"] = "QuorateChangesProposed",
  ["changes.settled"] = "QuorateChangesSettled",
  ["findings.updated"] = "QuorateFindingsUpdated",
}

---@type table<string, fun(text: string)>
local BY_LEVEL = { info = notify.info, warning = notify.warn, error = notify.error }

---@param record quorate.EventRecord
local function announce(record)
  local pattern = AUTOCOMMANDS[record.event.type]
  if pattern then
    vim.api.nvim_exec_autocmds("User", { pattern = pattern, modeline = false, data = record })
  end
end

store.listen(function(change)
  local record = change.record
  if change.what == "notice" and record then
    local notice = record.event --[[@as quorate.NoticeRaised]]
    BY_LEVEL[notice.level](notice.hint and ("%s %s"):format(notice.text, notice.hint) or notice.text)
  end
end)

store.hear(announce)

table.insert(connection.on_connected, function()
  client.request("quorate.status", {}, function(status)
    store.set_decisions(status.decisions)
  end, function() end)
end)
