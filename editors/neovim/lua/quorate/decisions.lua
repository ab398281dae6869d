-- What waits for the user: announced, listed, asked in a card or by `vim.ui`, answered once.
local client = require("quorate.client")
local config = require("quorate.config")
local notify = require("quorate.notify")
local store = require("quorate.store")
local text = require("quorate.ui.text")

local M = {}

---@class quorate.DecisionAction
---@field key string
---@field label string
---@field run fun()

---@return quorate.PendingDecision[] the oldest first
function M.pending()
  local pending = vim.tbl_values(store.decisions)
  table.sort(pending, function(one, other)
    return one.decision.decisionId < other.decision.decisionId
  end)
  return pending
end

---@param kind string
---@return quorate.PendingDecision?
function M.latest(kind)
  return vim.iter(M.pending()):rfind(function(pending)
    return pending.decision.kind == kind
  end)
end

---@param fault quorate.Fault
local function refused(fault)
  notify.error(client.explain(fault))
end

---@param params quorate.ApproveParams
---@param on_done? fun()
---@param on_fault? fun(fault: quorate.Fault)
function M.approve(params, on_done, on_fault)
  client.request("quorate.approve", params, on_done, on_fault or refused)
end

---@param decisionId string
---@param body string
function M.respond(decisionId, body)
  client.request("quorate.respond", { decisionId = decisionId, text = body })
end

---@param pending quorate.PendingDecision
---@param choice quorate.Choice
---@return fun()
local function answer_with(pending, choice)
  local decision = pending.decision
  return function()
    if decision.kind == "input" then
      M.respond(decision.decisionId, choice.label)
    elseif decision.kind == "override" then
      local agentId = choice.id ~= "cancel" and choice.id or vim.NIL
      client.request("quorate.override", { runId = pending.runId, agentId = agentId })
    else
      M.approve({ decisionId = decision.decisionId, choice = choice.id })
    end
  end
end

---What the user can do beside the choices that the server offers.
---@type table<string, fun(pending: quorate.PendingDecision): quorate.DecisionAction[]>
local MORE = {
  run = function(pending)
    return {
      {
        key = "e",
        label = "Edit",
        run = function()
          require("quorate.ui.spec_editor").open(pending)
        end,
      },
    }
  end,
  plan = function(pending)
    local function instruct()
      vim.ui.input({ prompt = "Instructions: " }, function(instructions)
        if instructions and instructions ~= "" then
          M.approve({ decisionId = pending.decision.decisionId, choice = "approve", instructions = instructions })
        end
      end)
    end
    return {
      { key = "i", label = "Approve with instructions", run = instruct },
      {
        key = "e",
        label = "Edit",
        run = function()
          require("quorate.ui.spec_editor").open(pending)
        end,
      },
    }
  end,
  changes = function(pending)
    local function review()
      require("quorate.changes").review(store.sessions[pending.sessionId], pending.runId)
    end
    return { { key = "r", label = "Review", run = review } }
  end,
  input = function(pending)
    local function respond()
      vim.ui.input({ prompt = text.one_line(pending.decision.detail.question, 60) .. " " }, function(body)
        if body and body ~= "" then
          M.respond(pending.decision.decisionId, body)
        end
      end)
    end
    return { { key = "r", label = "Answer in your own words", run = respond } }
  end,
}

---@param pending quorate.PendingDecision
---@return quorate.DecisionAction[]
function M.actions(pending)
  local decision, actions = pending.decision, {}
  local numbered = decision.kind == "input" or decision.kind == "override"
  for number, choice in ipairs(decision.choices) do
    local key = numbered and tostring(number) or ({ approve = "a", cancel = "c" })[choice.id] or tostring(number)
    table.insert(actions, { key = key, label = choice.label, run = answer_with(pending, choice) })
  end
  local more = MORE[decision.kind]
  return vim.list_extend(actions, more and more(pending) or {})
end

---@param decisionId string
function M.ask(decisionId)
  local pending = store.decisions[decisionId]
  if not pending then
    return notify.info("this has been decided.")
  end
  local needs_run = pending.decision.kind == "override" or pending.decision.kind == "changes"
  if needs_run and not pending.runId then
    return notify.info("open its session first with `:Quorate sessions`: this waits there since before.")
  end
  local actions = M.actions(pending)
  if config.get().decisions == "card" then
    return require("quorate.ui.card").open(pending, actions)
  end
  vim.ui.select(actions, {
    prompt = pending.decision.title,
    format_item = function(action)
      return action.label
    end,
  }, function(action)
    if action then
      action.run()
    end
  end)
end

function M.choose()
  local pending = M.pending()
  if #pending == 0 then
    return notify.info("nothing waits for you.")
  elseif #pending == 1 then
    return M.ask(pending[1].decision.decisionId)
  end
  vim.ui.select(pending, {
    prompt = "What waits for you",
    format_item = function(each)
      local session = store.summaries[each.sessionId]
      return text.joined({ each.decision.title, session and session.title })
    end,
  }, function(each)
    if each then
      M.ask(each.decision.decisionId)
    end
  end)
end

store.listen(function(change)
  if change.what == "decision" and change.record and change.record.event.type == "decision.requested" then
    local decision = change.record.event.decision
    local how = decision.kind == "override" and "<C-o> or :Quorate override" or ":Quorate approve"
    local left = text.seconds_until(decision.expiresAt)
    local hint = left and ("within %d s: %s"):format(left, how) or how
    notify.info(("%s (%s)"):format(text.one_line(decision.title, 90), hint))
  end
end)

return M
