-- The user's word: on what waits for it, and on who presents.
local decisions = require("quorate.decisions")
local notify = require("quorate.notify")

---@type table<string, quorate.Subcommand>
return {
  approve = {
    about = "answer what waits for you; with several, choose which",
    run = function()
      decisions.choose()
    end,
  },
  respond = {
    about = "answer a question of the team in your own words",
    run = function(call)
      local question = decisions.latest("input")
      if not question then
        return notify.info("no question is open.")
      end
      if call.text ~= "" then
        return decisions.respond(question.decision.decisionId, call.text)
      end
      decisions.ask(question.decision.decisionId)
    end,
  },
  override = {
    about = "choose another agent's answer to be presented, while the vote can be overruled",
    run = function()
      local window = decisions.latest("override")
      if not window then
        return notify.info(
          "there is nothing to overrule: the window is open only between the vote and the presentation."
        )
      end
      decisions.ask(window.decision.decisionId)
    end,
  },
}
