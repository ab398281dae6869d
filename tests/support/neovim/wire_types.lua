-- The generated LuaCATS types, held at run time. Every message of the server that reaches the plugin and every command
-- that it sends is checked against `protocol.gen.lua`, and what was received is guarded: reading a field that its class
-- does not declare is a fault, even where the field is absent. Faults are written to a file, one a line.
local Types = {}
Types.__index = Types

-- Reads one type from the text: `"a"|integer|teamwright.X[]|table<string, any>|{ params: A, result: B }`.
local function parse(text)
  local at = 1
  local union
  local function take(pattern)
    local found, past = text:match("^%s*(" .. pattern .. ")()", at)
    at = past or at
    return found
  end
  local function primary()
    if take("%(") then
      local inner = union()
      assert(take("%)"), text)
      return inner
    elseif take("table<string,") then
      local value = union()
      assert(take(">"), text)
      return { map = value }
    elseif take("{") then
      local shape = {}
      repeat
        local name = assert(take("%w+"), text)
        assert(take(":"), text)
        shape[name] = union()
      until not take(",")
      assert(take("}"), text)
      return { shape = shape }
    end
    local literal = take('"[^"]*"') or take("%d+") or take("true") or take("false")
    return literal and { literal = vim.json.decode(literal) } or { name = assert(take("[%w_.]+"), text) }
  end
  local function postfix()
    local node = primary()
    while take("%[%]") do
      node = { list = node }
    end
    return node
  end
  function union()
    local branches = { postfix() }
    while take("|") do
      table.insert(branches, postfix())
    end
    return #branches == 1 and branches[1] or { union = branches }
  end
  return union()
end

function Types.read(path)
  local types = setmetatable({ classes = {}, aliases = {} }, Types)
  local class
  for line in io.lines(path) do
    local named = line:match("^%-%-%-@class (%S+)")
    local name, optional, spelt = line:match('^%-%-%-@field %[?"?([%w_.]+)"?%]?(%??) (.+)$')
    local alias, meant = line:match("^%-%-%-@alias (%S+) (.+)$")
    if named then
      class = { name = named, fields = {} }
      types.classes[named] = class
    elseif name then
      class.fields[name] = { node = parse(spelt), optional = optional == "?" }
    elseif alias then
      types.aliases[alias] = parse(meant)
    end
  end
  return types
end

local PRIMITIVES = {
  any = function()
    return true
  end,
  string = function(value)
    return type(value) == "string"
  end,
  boolean = function(value)
    return type(value) == "boolean"
  end,
  number = function(value)
    return type(value) == "number"
  end,
  integer = function(value)
    return type(value) == "number" and value % 1 == 0
  end,
  ["vim.NIL"] = function(value)
    return value == vim.NIL
  end,
}

local function is_object(value)
  -- An empty table without the mark is sent as a list.
  return type(value) == "table" and (next(value) == nil and not vim.islist(value) or next(value) ~= nil)
end

-- Classes of a union are told apart by their literal fields.
local function is_meant(class, value)
  for name, field in pairs(class.fields) do
    if field.node.literal ~= nil and rawget(value, name) ~= field.node.literal then
      return false
    end
  end
  return true
end

function Types:_object(value, class, where, found)
  if not is_object(value) then
    return ("%s is no %s"):format(where, class.name)
  end
  for name in pairs(value) do
    if not class.fields[name] then
      return ("%s: %s has no field %s"):format(where, class.name, tostring(name))
    end
  end
  table.insert(found, { value = value, class = class })
  for name, field in pairs(class.fields) do
    local each = rawget(value, name)
    -- The editor leaves a null out when it reads a message.
    if each == nil and not field.optional and self:fault(vim.NIL, field.node, where, {}) then
      return ("%s: %s lacks its field %s"):format(where, class.name, name)
    elseif each ~= nil then
      local fault = self:fault(each, field.node, where .. "." .. name, found)
      if fault then
        return fault
      end
    end
  end
end

function Types:_union(value, branches, where, found)
  local nearest
  for _, branch in ipairs(branches) do
    local class = self.classes[branch.name]
    if not class or is_object(value) and is_meant(class, value) then
      local known = #found
      local fault = self:fault(value, branch, where, found)
      if not fault then
        return nil
      end
      while #found > known do
        table.remove(found)
      end
      nearest = class and fault or nearest
    end
  end
  return nearest or ("%s is none of what it can be: %s"):format(where, vim.inspect(value):sub(1, 200))
end

-- What is wrong with a value, if anything; `found` gathers the objects that are of a class.
function Types:fault(value, node, where, found)
  if node.union then
    return self:_union(value, node.union, where, found)
  elseif self.aliases[node.name] then
    return self:fault(value, self.aliases[node.name], where, found)
  elseif self.classes[node.name] then
    return self:_object(value, self.classes[node.name], where, found)
  elseif node.list or node.map then
    if type(value) ~= "table" or node.list and not vim.islist(value) or node.map and not is_object(value) then
      return ("%s is no %s"):format(where, node.list and "list" or "map")
    end
    for key, each in pairs(value) do
      local fault = self:fault(each, node.list or node.map, ("%s[%s]"):format(where, key), found)
      if fault then
        return fault
      end
    end
    return nil
  elseif node.literal ~= nil then
    return value ~= node.literal and ("%s is not %s"):format(where, tostring(node.literal)) or nil
  end
  local holds = assert(PRIMITIVES[node.name], node.name)
  return not holds(value) and ("%s is no %s: %s"):format(where, node.name, vim.inspect(value):sub(1, 80)) or nil
end

-- Holds every connection that is made from here on to the types in `types_path`.
return function(types_path, faults_path)
  local types = Types.read(types_path)
  local commands = types.classes["teamwright.Commands"].fields

  local function report(fault)
    local file = assert(io.open(faults_path, "a"))
    file:write((fault:gsub("\n", " ")), "\n")
    file:close()
  end

  local function guard(value, class)
    if next(value) ~= nil then
      setmetatable(value, {
        __index = function(_, key)
          if type(key) == "string" and not class.fields[key] then
            local caller = debug.getinfo(2, "Sl")
            report(("%s:%d reads %s of a %s"):format(caller.short_src, caller.currentline, key, class.name))
          end
        end,
      })
    end
  end

  local function hold(value, node, where)
    local found = {}
    local fault = types:fault(value, node, where, found)
    if fault then
      report(fault)
    end
    for _, each in ipairs(found) do
      guard(each.value, each.class)
    end
  end

  local function check(value, node, where)
    local fault = types:fault(value, node, where, {})
    if fault then
      report(fault)
    end
  end

  local start = vim.lsp.rpc.start
  vim.lsp.rpc.start = function(argv, dispatchers, options) -- luacheck: ignore 122
    local notified = dispatchers.notification
    dispatchers = vim.tbl_extend("force", dispatchers, {
      notification = function(method, params)
        if method == "teamwright/event" then
          hold(params, { name = "teamwright.EventRecord" }, "event")
        end
        return notified(method, params)
      end,
    })
    local client = start(argv, dispatchers, options)
    local request = client.request
    client.request = function(method, params, callback, ...)
      local called = method == "workspace/executeCommand" and commands[params.command]
      if not called then
        if method == "workspace/executeCommand" then
          report("there is no command " .. params.command)
        end
        return request(method, params, callback, ...)
      end
      check(params.arguments[1], called.node.shape.params, params.command .. " sent")
      return request(method, params, function(problem, result, ...)
        if result ~= nil then
          hold(result, called.node.shape.result, params.command .. " answered")
        end
        return callback(problem, result, ...)
      end, ...)
    end
    return client
  end
end
