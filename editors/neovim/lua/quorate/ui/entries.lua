-- An entry of a stream as a block of lines. Pure: the same entry and session always look the same.
local decision_text = require("quorate.ui.decision_text")
local run_card = require("quorate.ui.run_card")
local text = require("quorate.ui.text")

local M = {}

---@type quorate.Block
local NOTHING = { lines = {} }

---@param title string
---@param group string
---@param body string
---@return quorate.Block
local function message(title, group, body)
  local lines = { "", "▎" .. title }
  vim.list_extend(lines, text.lines(body))
  return { lines = lines, marks = { { 1, 0, -1, group } } }
end

---@param head string
---@param group string
---@param body string[]
---@param open? boolean
---@return quorate.Block
local function folded(head, group, body, open)
  local lines = { head }
  local marks = { { 0, 0, -1, group } }
  for _, line in ipairs(body) do
    table.insert(lines, line)
    table.insert(marks, { #lines - 1, 0, -1, "QuorateMeta" })
  end
  return { lines = lines, marks = marks, fold = not open }
end

---@param head string
---@param group string
---@param body string[]
---@return quorate.Block
local function framed(head, group, body)
  local block = folded(
    "▎" .. head,
    group,
    vim.tbl_map(function(line)
      return "│ " .. line
    end, body),
    true
  )
  table.insert(block.lines, 1, "")
  for index, mark in ipairs(block.marks) do
    block.marks[index] = { mark[1] + 1, mark[2], mark[3], mark[4] }
  end
  return block
end

---@param item quorate.ToolCall
local function tool_call(item)
  local arguments = vim.json.encode(next(item.arguments) and item.arguments or vim.empty_dict())
  local sign = ({ running = "…", succeeded = "✓", failed = "✗", cancelled = "■" })[item.status]
  local body = { "  " .. arguments }
  for _, line in ipairs(text.lines(item.error or item.result or "")) do
    table.insert(body, "  " .. line)
  end
  local head = ("▸ %s %s %s"):format(sign, item.name, text.one_line(arguments, 60))
  return folded(head, item.status == "failed" and "QuorateError" or "QuorateMeta", body)
end

---@param item quorate.UserMessage
local function user_message(item)
  local block = message("You", "QuorateUser", item.text)
  for _, attachment in ipairs(item.attachments) do
    local path = require("quorate.workspace").relative(vim.uri_to_fname(attachment.uri))
    local range = attachment.range
    local lines = range and (" lines %d-%d"):format(range.start.line + 1, range["end"].line + 1) or ""
    table.insert(block.lines, ("  ↳ %s%s"):format(path, lines))
    table.insert(block.marks, { #block.lines - 1, 0, -1, "QuorateMeta" })
  end
  return block
end

---@param entry quorate.Entry
local function item_block(entry)
  local item = entry.item --[[@as quorate.Item]]
  if item.discarded then
    return NOTHING
  elseif item.kind == "user_message" then
    return user_message(item --[[@as quorate.UserMessage]])
  elseif item.kind == "tool_call" then
    return tool_call(item --[[@as quorate.ToolCall]])
  elseif item.kind == "reasoning" then
    local body = text.lines(item.text)
    local head = entry.live and "▾ Thinking …" or ("▸ Thought, %s"):format(text.count(#body, "line"))
    return folded(head, "QuorateMeta", body, entry.live)
  elseif item.kind == "presentation" then
    return message(text.joined({ "The team", entry.agentId }), "QuorateAssistant", item.text)
  end
  return message(entry.agentId or "Assistant", "QuorateAssistant", item.text)
end

---@param entry quorate.Entry
local function decision_block(entry)
  local decision = entry.decision
  if not decision then
    return NOTHING
  end
  if entry.resolution then
    local head = ("▸ %s · %s"):format(
      decision_text.answer(decision, entry.resolution),
      text.one_line(decision.title, 100)
    )
    return folded(head, "QuorateMeta", decision_text.details(decision))
  end
  -- A plan and changes stand above, as what they are.
  local shown = decision.kind == "plan" or decision.kind == "changes"
  local details = shown and {} or decision_text.details(decision)
  local block = framed("Decision · " .. text.one_line(decision.title, 100), "QuorateDecision", details)
  local labels = vim.tbl_map(function(choice)
    return choice.label
  end, decision.choices)
  table.insert(block.lines, "╰ <CR> here or :Quorate approve → " .. table.concat(labels, " / "))
  table.insert(block.marks, { #block.lines - 1, 0, -1, "QuorateKey" })
  return block
end

---@param entry quorate.Entry
local function changes_block(entry)
  if not entry.changes then
    return NOTHING
  end
  if not entry.settled then
    local block = framed("Changes proposed", "QuorateDecision", decision_text.changes(entry.changes))
    table.insert(block.lines, "╰ <CR> here or :Quorate changes reviews them")
    table.insert(block.marks, { #block.lines - 1, 0, -1, "QuorateKey" })
    return block
  end
  local workspace = require("quorate.workspace")
  local body = vim.tbl_map(function(file)
    return text.joined({ workspace.relative(vim.uri_to_fname(file.uri)), file.outcome, file.reason })
  end, entry.settled)
  return framed("Changes", "QuorateRun", body)
end

---@param entry quorate.Entry
---@param session quorate.Session
local function run_end_block(entry, session)
  local finished = entry.finished --[[@as quorate.RunFinished]]
  if finished.error then
    return folded("✗ " .. text.one_line(finished.error, 200), "QuorateError", {})
  end
  local presented = vim.iter(session.streams[""].order):any(function(other)
    return other.kind == "item"
      and other.item.kind == "presentation"
      and other.item.text == (finished.result or {}).text
  end)
  local block = presented and { lines = {}, marks = {} }
    or finished.result and message(finished.result.agentId, "QuorateAssistant", finished.result.text)
    or { lines = {}, marks = {} }
  for _, line in ipairs(finished.footer and text.lines(finished.footer) or {}) do
    table.insert(block.lines, line)
    table.insert(block.marks, { #block.lines - 1, 0, -1, "QuorateMeta" })
  end
  return block
end

---@param entry quorate.Entry
---@param session quorate.Session
---@return quorate.Block
function M.block(entry, session)
  local kind = entry.kind
  if kind == "item" then
    return item_block(entry)
  elseif kind == "run" then
    local run = session.runs[entry.runId]
    -- A run that waits for its approval is shown as the decision that it is.
    return run and run.phase ~= "queued" and run_card.block(run) or NOTHING
  elseif kind == "run_end" then
    return run_end_block(entry, session)
  elseif kind == "decision" then
    return decision_block(entry)
  elseif kind == "changes" then
    return changes_block(entry)
  elseif kind == "plan" then
    return framed("Plan", "QuorateRun", decision_text.plan(entry.plan, entry.path))
  elseif kind == "answer" then
    return message("Answer " .. entry.label, "QuorateAgent", entry.text)
  elseif kind == "vote" then
    return message("Vote for " .. entry.target, "QuorateOk", entry.text)
  end
  if entry.text == "" then
    return NOTHING
  end
  local group = ({ error = "QuorateError", warning = "QuorateWarning" })[entry.level] or "QuorateMeta"
  return folded((entry.level == "error" and "✗ " or "· ") .. text.one_line(entry.text, 200), group, {})
end

return M
