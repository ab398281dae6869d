-- The lists that are drawn: the chat of a session, and what each agent of a run does. One entry a thing, in its order.
local M = {}

---@class quorate.Entry
---@field id string
---@field kind "item"|"run"|"run_end"|"decision"|"changes"|"plan"|"answer"|"vote"|"note"
---@field live? boolean an item that is still streamed
---@field length? integer code points of a live item's text
---@field item? quorate.Item
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field decision? quorate.Decision
---@field resolution? quorate.DecisionResolved
---@field finished? quorate.RunFinished
---@field spec? quorate.ResolvedRunSpec
---@field changes? quorate.Change[]
---@field settled? quorate.SettledFile[]
---@field plan? quorate.Plan
---@field path? string
---@field label? string
---@field text? string
---@field target? string
---@field level? "info"|"warning"|"error"

---@class quorate.Stream
---@field order quorate.Entry[]
---@field by_id table<string, quorate.Entry>

---@class quorate.Placed
---@field streams string[]
---@field entry quorate.Entry

local CHAT = ""

---@return quorate.Stream
function M.new()
  return { order = {}, by_id = {} }
end

---@param runId string
---@param agentId string
function M.key(runId, agentId)
  return runId .. "/" .. agentId
end

---@param stream quorate.Stream
---@param entry quorate.Entry
---@return quorate.Entry the one that is kept: what it knew before and is not said anew stays
function M.upsert(stream, entry)
  local kept = stream.by_id[entry.id]
  if not kept then
    stream.by_id[entry.id] = entry
    table.insert(stream.order, entry)
    return entry
  end
  kept.live, kept.length = nil, nil
  for key, value in pairs(entry) do
    kept[key] = key == "settled" and M.merged(kept.settled, value) or value
  end
  return kept
end

---@param before? quorate.SettledFile[]
---@param now quorate.SettledFile[]
---@return quorate.SettledFile[] by file, the newer word holds
function M.merged(before, now)
  local by_uri, files = {}, {}
  for _, file in ipairs(vim.list_extend(vim.list_slice(before or {}), now)) do
    if not by_uri[file.uri] then
      table.insert(files, file.uri)
    end
    by_uri[file.uri] = file
  end
  return vim.tbl_map(function(uri)
    return by_uri[uri]
  end, files)
end

---@param text string
local function code_points(text)
  return vim.str_utfindex(text, "utf-32")
end

---@param entry quorate.Entry
---@param offset integer
---@param text string
---@return boolean whether it fits: a gap means that something was missed
function M.append(entry, offset, text)
  local item = entry.item --[[@as quorate.AssistantMessage]]
  entry.length = entry.length or code_points(item.text or "")
  if offset ~= entry.length then
    return offset < entry.length
  end
  item.text = (item.text or "") .. text
  entry.length = entry.length + code_points(text)
  return true
end

---The text so far of what is under way.
---@param streams table<string, quorate.Stream>
---@param item quorate.Item
function M.refresh(streams, item)
  for _, stream in pairs(streams) do
    local entry = stream.by_id[item.itemId]
    if entry then
      entry.item, entry.length = vim.deepcopy(item), nil
    end
  end
end

---@param record quorate.EventRecord
---@return string[]
local function homes_of_item(record)
  local item = record.event.item
  if not record.runId then
    return { CHAT }
  end
  local homes = record.agentId and { M.key(record.runId, record.agentId) } or {}
  if item.kind == "presentation" then
    table.insert(homes, CHAT)
  end
  return homes
end

---@type table<string, fun(event: table, record: quorate.EventRecord): quorate.Entry?, string[]?>
local PLACES = {
  ["item.started"] = function(event, record)
    return { id = event.item.itemId, kind = "item", live = true, item = event.item }, homes_of_item(record)
  end,
  ["item.finished"] = function(event, record)
    return { id = event.item.itemId, kind = "item", item = event.item }, homes_of_item(record)
  end,
  ["turn.queued"] = function(event, record)
    return { id = record.turnId, kind = "note", level = "info", text = "Queued: " .. event.text }
  end,
  ["turn.started"] = function(_, record)
    return { id = record.turnId, kind = "note", text = "" }
  end,
  ["turn.finished"] = function(event, record)
    if event.outcome == "completed" then
      return nil
    end
    local failed = event.outcome == "failed"
    local text = failed and (event.error or "The turn failed.") or "Cancelled."
    return { id = record.turnId .. ":end", kind = "note", level = failed and "error" or "info", text = text }
  end,
  ["session.compacted"] = function(event)
    return {
      id = "compacted:" .. event.upToSeq,
      kind = "note",
      level = "info",
      text = "Earlier messages were summarised for the model.",
    }
  end,
  ["decision.requested"] = function(event)
    return { id = event.decision.decisionId, kind = "decision", decision = event.decision }
  end,
  ["decision.resolved"] = function(event)
    return { id = event.decisionId, kind = "decision", resolution = event }
  end,
  ["run.started"] = function(event, record)
    return { id = record.runId, kind = "run", runId = record.runId, spec = event.spec }
  end,
  ["run.updated"] = function(_, record)
    return { id = record.runId, kind = "run", runId = record.runId }
  end,
  ["run.finished"] = function(event, record)
    return { id = record.runId .. ":end", kind = "run_end", runId = record.runId, finished = event }
  end,
  ["plan.proposed"] = function(event, record)
    return { id = record.runId .. ":plan", kind = "plan", plan = event.plan, path = event.path }
  end,
  ["changes.proposed"] = function(event, record)
    return { id = record.runId .. ":changes", kind = "changes", runId = record.runId, changes = event.changes }
  end,
  ["changes.settled"] = function(event, record)
    return { id = record.runId .. ":changes", kind = "changes", runId = record.runId, settled = event.settled }
  end,
  ["message.shared"] = function(event, record)
    return {
      id = ("%s:word:%d"):format(record.runId, record.seq),
      kind = "note",
      level = "info",
      text = "You to the team: " .. event.text,
    }
  end,
  ["answer.submitted"] = function(event, record)
    return { id = event.answerId, kind = "answer", label = event.label, text = event.content }, {
      M.key(record.runId, record.agentId),
    }
  end,
  ["vote.cast"] = function(event, record)
    return {
      id = ("%s:vote:%d"):format(record.runId, record.seq),
      kind = "vote",
      target = event.target,
      text = event.reason,
    }, { M.key(record.runId, record.agentId) }
  end,
  ["agent.stopped"] = function(event, record)
    if not event.error then
      return nil
    end
    return {
      id = ("%s:stopped:%d"):format(record.runId, record.seq),
      kind = "note",
      level = "error",
      text = event.error,
    }, { M.key(record.runId, record.agentId) }
  end,
}

---@param record quorate.EventRecord
---@return quorate.Placed?
function M.place(record)
  local place = PLACES[record.event.type]
  if not place then
    return nil
  end
  local entry, homes = place(record.event, record)
  if not entry then
    return nil
  end
  entry.turnId, entry.agentId = record.turnId, record.agentId
  return { entry = entry, streams = homes or { CHAT } }
end

return M
