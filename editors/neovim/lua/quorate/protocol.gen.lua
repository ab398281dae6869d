---@meta
-- Generated from the server's types by `make generate`. Do not edit.

---An agent did what does not count: text where a vote was due, a faulty call, a refused answer. It was told so.
---@class quorate.AgentCorrected
---@field type "agent.corrected"
---@field attempt integer
---@field misstep "plain_text"|"bad_call"|"refused"
---@field text string

---@class quorate.AgentHealth
---@field agentId string
---@field backend string
---@field model? string
---@field health "unknown"|"ok"|"unreachable"|"misconfigured"
---@field detail? string
---@field latencyMs? number

---An agent at work was shown what is new, before the model call that can make use of it.
---@class quorate.AgentInformed
---@field type "agent.informed"
---@field attempt integer
---@field seen quorate.Seen

---@class quorate.AgentStarted
---@field type "agent.started"
---@field attempt integer
---@field purpose "answer"|"plan"|"present"
---@field seen? quorate.Seen

---@class quorate.AgentStopped
---@field type "agent.stopped"
---@field attempt integer
---@field reason "answered"|"voted"|"abstained"|"superseded"|"timeout"|"failed"|"cancelled"|"finished"
---@field error? string
---@field usage quorate.Usage
---@field costUsd? number

---@class quorate.AgentView
---@field agentId string
---@field status "waiting"|"working"|"answered"|"voted"|"abstained"|"presenting"|"failed"|"stopped"
---@field attempt integer
---@field answers integer
---@field votedFor? string
---@field usage quorate.Usage
---@field costUsd? number
---@field note? string

---Several agents' remarks on the same thing, as one: `agents` of `of` agree.
---@class quorate.AgreedFinding
---@field findingId string
---@field uri string
---@field range quorate.Range
---@field severity "error"|"warning"|"info"|"hint"
---@field title string
---@field detail string
---@field suggestion? string
---@field agents string[]
---@field of integer
---@field disputedBy? string[]
---@field dismissed boolean

---An answer in full, with the files its agent had written by then.
---@class quorate.Answer
---@field answerId string
---@field label string
---@field agentId string
---@field content string
---@field files string[]
---@field submittedAt string

---@class quorate.AnswerBrief
---@field answerId string
---@field label string
---@field agentId string
---@field content string
---@field truncated? boolean

---@class quorate.AnswerPreview
---@field answerId string
---@field label string
---@field agentId string
---@field preview string

---@class quorate.AnswerSubmitted
---@field type "answer.submitted"
---@field answerId string
---@field label string
---@field content string
---@field plan? quorate.Plan
---@field files? string[]
---@field truncated? boolean

---`edits` is read by the decision's kind: a partial run spec, a plan, or a choice of files.
---@class quorate.ApproveParams
---@field decisionId string
---@field choice "approve"|"cancel"
---@field edits? table<string, any>|vim.NIL
---@field instructions? string|vim.NIL

---@class quorate.AssistantMessage
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "assistant_message"
---@field text string

---@class quorate.AttachmentInput
---@field uri string
---@field range? quorate.RangeInput|vim.NIL

---@class quorate.Attachment
---@field uri string
---@field range? quorate.Range

---A limit is met when any of its parts is.
---@class quorate.BudgetInput
---@field usd? number|vim.NIL
---@field tokens? integer|vim.NIL
---@field seconds? number|vim.NIL

---A limit is met when any of its parts is.
---@class quorate.Budget
---@field usd? number
---@field tokens? integer
---@field seconds? number

---@class quorate.BudgetDecision
---@field decisionId string
---@field title string
---@field choices quorate.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "budget"
---@field detail quorate.BudgetDetail

---`limit` is all that may be spent up to the next question, what is spent already included.
---@class quorate.BudgetDetail
---@field of "run"|"session"
---@field spent quorate.BudgetSpent
---@field limit quorate.Budget

---@class quorate.BudgetReached
---@field type "budget.reached"
---@field spent quorate.BudgetSpent
---@field sessionLimit? quorate.Budget

---@class quorate.BudgetSpent
---@field usd number|vim.NIL
---@field tokens integer
---@field seconds number
---@field usage quorate.Usage

---@class quorate.CancelParams
---@field runId? string|vim.NIL
---@field turnId? string|vim.NIL

---Somebody wants the run to end; it ends with `run.finished`, once everything at work has stopped.
---@class quorate.CancelRequested
---@field type "cancel.requested"

---@class quorate.CancelResult
---@field cancelled boolean

---@class quorate.Change
---@field uri string
---@field kind "create"|"edit"|"delete"
---@field diff string
---@field hunks quorate.Hunk[]
---@field agentId string
---@field truncated? boolean

---@class quorate.ChangesDecision
---@field decisionId string
---@field title string
---@field choices quorate.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "changes"
---@field detail quorate.ChangesDetail

---@class quorate.ChangesDetail
---@field changes quorate.Change[]

---@class quorate.ChangesOpenParams
---@field runId string
---@field uri string

---@class quorate.ChangesOpenResult
---@field before string
---@field after string

---@class quorate.ChangesParams
---@field runId string
---@field files? quorate.FileChoice[]|vim.NIL

---@class quorate.ChangesProposed
---@field type "changes.proposed"
---@field changes quorate.Change[]

---@class quorate.ChangesResult
---@field settled quorate.SettledFile[]

---@class quorate.ChangesSettled
---@field type "changes.settled"
---@field settled quorate.SettledFile[]

---@class quorate.ChatParams
---@field text string
---@field sessionId? string|vim.NIL
---@field attachments? quorate.AttachmentInput[]
---@field modes? quorate.ModesInput|vim.NIL
---@field whenBusy? "queue"|"steer"

---@class quorate.ChatResult
---@field sessionId string
---@field turnId string

---@class quorate.Choice
---@field id string
---@field label string

---@class quorate.CodeActionParams
---@field uri? string|vim.NIL
---@field range? quorate.RangeInput|vim.NIL
---@field diff? quorate.DiffBase|vim.NIL
---@field findingIds? string[]|vim.NIL
---@field instructions? string|vim.NIL
---@field sessionId? string|vim.NIL

---@class quorate.CommandDecision
---@field decisionId string
---@field title string
---@field choices quorate.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "command"
---@field detail quorate.CommandDetail

---@class quorate.CommandDetail
---@field argv string[]
---@field cwd string

---@class quorate.ContextPathInput
---@field path string
---@field permission? "read"|"write"

---@class quorate.ContextPath
---@field path string
---@field permission "read"|"write"

---The rules of coordination with every default filled in.
---@class quorate.Coordination
---@field votingSensitivity "lenient"|"balanced"|"strict"
---@field maxNewAnswersPerAgent integer
---@field maxNewAnswersGlobal integer|vim.NIL
---@field answerNoveltyRequirement "lenient"|"balanced"|"strict"
---@field fairnessEnabled boolean
---@field fairnessLeadCapAnswers integer
---@field deferVotingUntilAllAnswered boolean
---@field disableInjection boolean
---@field skipVoting boolean
---@field skipFinalPresentation boolean
---@field finalAnswerStrategy "winner_reuse"|"winner_present"|"synthesize"
---@field override "ask"|"offer"|"off"
---@field firstAnswerGraceSeconds number
---@field orchestratorTimeoutSeconds number
---@field initialRoundTimeoutSeconds number|vim.NIL
---@field subsequentRoundTimeoutSeconds number|vim.NIL
---@field roundTimeoutGraceSeconds number

---The rules of coordination that one run may set for itself; what is left out comes from the configuration.
---@class quorate.CoordinationOverrides
---@field votingSensitivity? "lenient"|"balanced"|"strict"|vim.NIL
---@field maxNewAnswersPerAgent? integer|vim.NIL
---@field maxNewAnswersGlobal? integer|vim.NIL
---@field answerNoveltyRequirement? "lenient"|"balanced"|"strict"|vim.NIL
---@field fairnessEnabled? boolean|vim.NIL
---@field fairnessLeadCapAnswers? integer|vim.NIL
---@field deferVotingUntilAllAnswered? boolean|vim.NIL
---@field disableInjection? boolean|vim.NIL
---@field skipVoting? boolean|vim.NIL
---@field skipFinalPresentation? boolean|vim.NIL
---@field finalAnswerStrategy? "winner_reuse"|"winner_present"|"synthesize"|vim.NIL
---@field override? "ask"|"offer"|"off"|vim.NIL
---@field firstAnswerGraceSeconds? number|vim.NIL
---@field orchestratorTimeoutSeconds? number|vim.NIL
---@field initialRoundTimeoutSeconds? number|vim.NIL
---@field subsequentRoundTimeoutSeconds? number|vim.NIL
---@field roundTimeoutGraceSeconds? number|vim.NIL

---@class quorate.CostEstimate
---@field usdLow number
---@field usdHigh number

---@alias quorate.Decision quorate.RunDecision|quorate.PlanDecision|quorate.ChangesDecision|quorate.InputDecision|quorate.OverrideDecision|quorate.BudgetDecision|quorate.CommandDecision|quorate.ResumeDecision

---@class quorate.DecisionRequested
---@field type "decision.requested"
---@field decision quorate.Decision

---@class quorate.DecisionResolved
---@field type "decision.resolved"
---@field decisionId string
---@field choice string
---@field by "user"|"timeout"|"policy"|"cancelled"
---@field edits? table<string, any>
---@field text? string

---@class quorate.DecisionResult
---@field decision quorate.Resolution

---@class quorate.DiffBase
---@field base string

---@alias quorate.Event quorate.SessionCreated|quorate.SessionUpdated|quorate.SessionCompacted|quorate.TurnQueued|quorate.TurnStarted|quorate.TurnFinished|quorate.ItemStarted|quorate.ItemFinished|quorate.DecisionRequested|quorate.DecisionResolved|quorate.RunStarted|quorate.CancelRequested|quorate.TimerElapsed|quorate.BudgetReached|quorate.AgentStarted|quorate.AgentInformed|quorate.AgentCorrected|quorate.AgentStopped|quorate.AnswerSubmitted|quorate.VoteCast|quorate.MessageShared|quorate.FindingReported|quorate.FindingDismissed|quorate.WinnerSelected|quorate.PlanProposed|quorate.ChangesProposed|quorate.ChangesSettled|quorate.RunFinished|quorate.SessionResync|quorate.ItemDelta|quorate.FindingsUpdated|quorate.RunUpdated|quorate.UsageReported|quorate.NoticeRaised

---@class quorate.EventRecord
---@field v 1
---@field seq integer|vim.NIL
---@field at string
---@field sessionId string|vim.NIL
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field event quorate.Event

---A file of a change set, whole or only some of its hunks.
---@class quorate.FileChoice
---@field uri string
---@field hunks? integer[]|vim.NIL

---@class quorate.Finding
---@field findingId string
---@field uri string
---@field range quorate.Range
---@field severity "error"|"warning"|"info"|"hint"
---@field title string
---@field detail string
---@field suggestion? string

---@class quorate.FindingDismissParams
---@field findingIds string[]

---@class quorate.FindingDismissResult
---@field dismissed string[]

---The user wants to see no more of these. The ids are those of all remarks behind a finding.
---@class quorate.FindingDismissed
---@field type "finding.dismissed"
---@field findingIds string[]

---@class quorate.FindingReported
---@field type "finding.reported"
---@field finding quorate.Finding

---All findings of the session.
---@class quorate.FindingsUpdated
---@field type "findings.updated"
---@field findings quorate.AgreedFinding[]

---@class quorate.Hunk
---@field index integer
---@field oldStart integer
---@field oldLines integer
---@field newStart integer
---@field newLines integer

---@class quorate.InputDecision
---@field decisionId string
---@field title string
---@field choices quorate.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "input"
---@field detail quorate.InputDetail

---@class quorate.InputDetail
---@field question string
---@field choices string[]
---@field agentId? string

---@alias quorate.Item quorate.UserMessage|quorate.AssistantMessage|quorate.Reasoning|quorate.Presentation|quorate.ToolCall

---`offset` counts code points of the item's text, so that a client can see a gap.
---@class quorate.ItemDelta
---@field type "item.delta"
---@field itemId string
---@field offset integer
---@field text string

---@class quorate.ItemFinished
---@field type "item.finished"
---@field item quorate.Item
---@field endsTurn? boolean

---@class quorate.ItemStarted
---@field type "item.started"
---@field item quorate.Item
---@field step? integer

---@class quorate.LaunchRunParams
---@field task string
---@field context? string|vim.NIL
---@field agentMode? "single"|"multi"|vim.NIL
---@field agents? string[]|vim.NIL
---@field refinement? boolean|vim.NIL
---@field planningMode? boolean|vim.NIL
---@field executeAfterPlanning? boolean|vim.NIL
---@field review? boolean|vim.NIL
---@field contextPaths? quorate.ContextPathInput[]|vim.NIL
---@field agentSystemPrompts? table<string, string>|vim.NIL
---@field coordinationOverrides? quorate.CoordinationOverrides|vim.NIL
---@field budget? quorate.BudgetInput|vim.NIL
---@field sessionId? string|vim.NIL
---@field approval? "ask"|"given"|vim.NIL

---@class quorate.Limits
---@field maxActiveSessions integer
---@field activeSessions integer
---@field idleMinutes number
---@field maxSteps integer

---@class quorate.MessageShared
---@field type "message.shared"
---@field from string
---@field to string[]
---@field text string
---@field truncated? boolean

---@class quorate.ModesInput
---@field plan? boolean|vim.NIL
---@field agentMode? "single"|"multi"|vim.NIL
---@field agentId? string|vim.NIL
---@field refinement? boolean|vim.NIL
---@field autonomy? "hitl"|"autonomous"
---@field team? "auto"|"always"|"never"

---@class quorate.Modes
---@field plan boolean|vim.NIL
---@field agentMode "single"|"multi"|vim.NIL
---@field agentId string|vim.NIL
---@field refinement boolean|vim.NIL
---@field autonomy "hitl"|"autonomous"
---@field team "auto"|"always"|"never"

---@class quorate.ModesParams
---@field plan? boolean|vim.NIL
---@field agentMode? "single"|"multi"|vim.NIL
---@field agentId? string|vim.NIL
---@field refinement? boolean|vim.NIL
---@field autonomy? "hitl"|"autonomous"
---@field team? "auto"|"always"|"never"
---@field sessionId? string|vim.NIL

---@class quorate.NoParams

---@class quorate.NoticeRaised
---@field type "notice.raised"
---@field level "info"|"warning"|"error"
---@field text string
---@field hint? string

---@class quorate.OverrideDecision
---@field decisionId string
---@field title string
---@field choices quorate.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "override"
---@field detail quorate.OverrideDetail

---@class quorate.OverrideDetail
---@field answers quorate.AnswerBrief[]

---A null agent lets the vote stand now; leaving it out is a mistake.
---@class quorate.OverrideParams
---@field runId string
---@field agentId string|vim.NIL

---@class quorate.OverrideResult
---@field runId string
---@field agentId string|vim.NIL

---A context path of a run, with the number of files below it.
---@class quorate.PathScope
---@field path string
---@field permission "read"|"write"
---@field count integer

---@class quorate.Plan
---@field title string
---@field tasks quorate.PlanTask[]

---@class quorate.PlanDecision
---@field decisionId string
---@field title string
---@field choices quorate.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "plan"
---@field detail quorate.PlanDetail

---@class quorate.PlanDetail
---@field plan quorate.Plan
---@field path string

---@class quorate.PlanProposed
---@field type "plan.proposed"
---@field plan quorate.Plan
---@field path string

---@class quorate.PlanTask
---@field id string
---@field title string
---@field detail string
---@field phase? string
---@field files? string[]

---@class quorate.PositionInput
---@field line integer
---@field character integer

---@class quorate.Position
---@field line integer
---@field character integer

---@class quorate.Presentation
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "presentation"
---@field text string

---@class quorate.Project
---@field name string
---@field path string
---@field goal string
---@field context string
---@field filepaths table<string, quorate.ProjectPath>
---@field deliverables string[]
---@field runs string[]

---@class quorate.ProjectListResult
---@field projects quorate.Project[]

---@class quorate.ProjectParams
---@field name? string|vim.NIL
---@field goal? string|vim.NIL
---@field sessionId? string|vim.NIL

---@class quorate.ProjectPath
---@field path string
---@field kind "file"|"directory"
---@field description string

---As in LSP: zero-based, the end excluded.
---@class quorate.RangeInput
---@field start quorate.PositionInput
---@field end quorate.PositionInput

---As in LSP: zero-based, the end excluded.
---@class quorate.Range
---@field start quorate.Position
---@field end quorate.Position

---@class quorate.Reasoning
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "reasoning"
---@field text string

---How a decision was taken: what a second answer is told with its 409.
---@class quorate.Resolution
---@field decisionId string
---@field choice string
---@field by "user"|"timeout"|"policy"|"cancelled"
---@field edits? table<string, any>
---@field text? string

---As it runs: nothing is left open, so that the log alone says what was done.
---@class quorate.ResolvedRunSpec
---@field task string
---@field context? string
---@field agentMode "single"|"multi"
---@field agents string[]
---@field refinement boolean
---@field planningMode boolean
---@field executeAfterPlanning boolean
---@field review boolean
---@field contextPaths quorate.ContextPath[]
---@field agentSystemPrompts table<string, string>
---@field coordinationOverrides quorate.Coordination
---@field budget? quorate.Budget
---@field truncated? boolean

---@class quorate.RespondParams
---@field decisionId string
---@field text string

---@class quorate.ResumeDecision
---@field decisionId string
---@field title string
---@field choices quorate.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "resume"
---@field detail quorate.ResumeDetail

---@class quorate.ResumeDetail
---@field what "turn"|"run"
---@field task string
---@field done string

---@class quorate.RunDecision
---@field decisionId string
---@field title string
---@field choices quorate.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "run"
---@field detail quorate.RunDetail

---@class quorate.RunDetail
---@field spec quorate.ResolvedRunSpec
---@field files quorate.PathScope[]
---@field estimate quorate.CostEstimate|vim.NIL
---@field reason string

---@class quorate.RunFinished
---@field type "run.finished"
---@field outcome "completed"|"cancelled"|"failed"|"timed_out"
---@field result? quorate.RunResult
---@field footer? string
---@field written string[]
---@field usage quorate.Usage
---@field costUsd? number
---@field error? string

---@class quorate.RunLaunched
---@field sessionId string
---@field runId string
---@field decisionId? string

---@class quorate.RunListParams
---@field sessionId? string|vim.NIL
---@field project? string|vim.NIL
---@field limit? integer

---@class quorate.RunListResult
---@field runs quorate.RunView[]

---@class quorate.RunOpenResult
---@field run quorate.RunView
---@field answers quorate.Answer[]
---@field result? quorate.RunResult
---@field logDir string

---@class quorate.RunParams
---@field runId string

---@class quorate.RunResult
---@field text string
---@field agentId string
---@field strategy string
---@field truncated? boolean

---@class quorate.RunStarted
---@field type "run.started"
---@field spec quorate.ResolvedRunSpec
---@field parentRunId? string
---@field autonomy "hitl"|"autonomous"
---@field applyChanges "ask"|"auto"

---@class quorate.RunUpdated
---@field type "run.updated"
---@field run quorate.RunView

---@class quorate.RunView
---@field runId string
---@field parentRunId? string
---@field task string
---@field phase "queued"|"planning"|"answering"|"voting"|"override"|"presenting"|"executing"|"applying"|"finished"
---@field outcome? "completed"|"cancelled"|"failed"|"timed_out"
---@field agents quorate.AgentView[]
---@field answers quorate.AnswerPreview[]
---@field votes quorate.VoteView[]
---@field tally table<string, integer>
---@field winner? string
---@field decisions string[]
---@field usage quorate.Usage
---@field costUsd? number
---@field budget? quorate.Budget
---@field startedAt string
---@field finishedAt? string
---@field written string[]
---@field truncated? boolean

---@class quorate.SearchHit
---@field sessionId string
---@field seq integer
---@field snippet string

---How far an agent was shown the run: that many of its answers and of its messages, from the first on.
---@class quorate.Seen
---@field answers integer
---@field messages integer

---@class quorate.SessionCompacted
---@field type "session.compacted"
---@field summary string
---@field upToSeq integer
---@field usage? quorate.Usage
---@field costUsd? number

---@class quorate.SessionCreated
---@field type "session.created"
---@field session quorate.SessionSummary

---@class quorate.SessionExportParams
---@field sessionId string
---@field format? "json"|"markdown"

---@class quorate.SessionExportResult
---@field text string

---@class quorate.SessionForkParams
---@field sessionId string
---@field atSeq? integer|vim.NIL

---@class quorate.SessionImportParams
---@field text string

---@class quorate.SessionListParams
---@field query? string|vim.NIL
---@field project? string|vim.NIL
---@field limit? integer
---@field before? string|vim.NIL

---@class quorate.SessionListResult
---@field sessions quorate.SessionSummary[]

---@class quorate.SessionOpenParams
---@field sessionId string
---@field afterSeq? integer|vim.NIL
---@field itemsBefore? integer|vim.NIL

---@class quorate.SessionOpenResult
---@field session quorate.SessionView
---@field events quorate.EventRecord[]
---@field more boolean

---@class quorate.SessionParams
---@field sessionId string

---@class quorate.SessionRef
---@field sessionId string

---@class quorate.SessionRenameParams
---@field sessionId string
---@field title string

---@class quorate.SessionResync
---@field type "session.resync"
---@field lastSeq integer

---@class quorate.SessionSearchParams
---@field text string
---@field limit? integer

---@class quorate.SessionSearchResult
---@field hits quorate.SearchHit[]

---@class quorate.SessionStats
---@field sessionId string
---@field turns integer
---@field runs integer
---@field messages integer
---@field usage quorate.Usage
---@field costUsd? number
---@field seconds number

---@class quorate.SessionSummary
---@field sessionId string
---@field title string
---@field project? string
---@field createdAt string
---@field updatedAt string
---@field lastMessage string
---@field turns integer
---@field runs integer
---@field pendingDecisions integer
---@field costUsd? number
---@field modes quorate.Modes
---@field busy boolean

---@class quorate.SessionUpdated
---@field type "session.updated"
---@field session quorate.SessionSummary

---@class quorate.SessionView
---@field sessionId string
---@field title string
---@field project? string
---@field createdAt string
---@field updatedAt string
---@field lastMessage string
---@field turns integer
---@field runs integer
---@field pendingDecisions integer
---@field costUsd? number
---@field modes quorate.Modes
---@field busy boolean
---@field items quorate.Item[]
---@field runViews quorate.RunView[]
---@field decisions quorate.Decision[]
---@field findings quorate.AgreedFinding[]

---@class quorate.SettledFile
---@field uri string
---@field outcome "applied"|"rejected"|"conflicted"
---@field reason? string

---@class quorate.StatusResult
---@field agents quorate.AgentHealth[]
---@field modes quorate.Modes
---@field limits quorate.Limits
---@field costUsd number|vim.NIL
---@field decisions quorate.Decision[]
---@field trusted boolean
---@field versions quorate.Versions

---@class quorate.SteerParams
---@field text string
---@field runId? string|vim.NIL
---@field sessionId? string|vim.NIL
---@field agents? string[]|vim.NIL

---@class quorate.SteerResult
---@field delivered string[]

---Time passed, as a fact: the `round_…` ones are about an agent's attempt, the others about the run.
---@class quorate.TimerElapsed
---@field type "timer.elapsed"
---@field timer "run"|"budget"|"first_answer_grace"|"round_wrap_up"|"round_tools_closed"|"round_over"
---@field attempt? integer

---@class quorate.ToolCall
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "tool_call"
---@field name string
---@field arguments table<string, any>
---@field status "running"|"succeeded"|"failed"|"cancelled"
---@field result? string
---@field error? string

---@class quorate.TurnFinished
---@field type "turn.finished"
---@field outcome "completed"|"cancelled"|"failed"
---@field error? string
---@field usage quorate.Usage
---@field costUsd? number

---@class quorate.TurnQueued
---@field type "turn.queued"
---@field text string
---@field truncated? boolean
---@field attachments quorate.Attachment[]

---@class quorate.TurnStarted
---@field type "turn.started"
---@field text string
---@field truncated? boolean

---@class quorate.Usage
---@field inputTokens integer
---@field outputTokens integer
---@field cachedTokens? integer
---@field calls integer

---@class quorate.UsageReported
---@field type "usage.reported"
---@field usage quorate.Usage
---@field costUsd? number
---@field sessionCostUsd? number

---@class quorate.UserMessage
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "user_message"
---@field text string
---@field attachments quorate.Attachment[]

---@class quorate.Versions
---@field server string
---@field protocol integer

---@class quorate.VoteCast
---@field type "vote.cast"
---@field target string
---@field reason string
---@field disputed? string[]

---@class quorate.VoteView
---@field agentId string
---@field target string
---@field reason string
---@field counts boolean

---@class quorate.WinnerSelected
---@field type "winner.selected"
---@field agentId string
---@field tally table<string, integer>
---@field by "votes"|"override"|"only"|"timeout"

---@alias quorate.CommandName
---| "quorate.chat"
---| "quorate.launch_run"
---| "quorate.approve"
---| "quorate.respond"
---| "quorate.override"
---| "quorate.steer"
---| "quorate.cancel"
---| "quorate.modes"
---| "quorate.session.list"
---| "quorate.session.open"
---| "quorate.session.close"
---| "quorate.session.search"
---| "quorate.session.fork"
---| "quorate.session.rename"
---| "quorate.session.delete"
---| "quorate.session.restore"
---| "quorate.session.compact"
---| "quorate.session.stats"
---| "quorate.session.export"
---| "quorate.session.import"
---| "quorate.run.list"
---| "quorate.run.open"
---| "quorate.project.list"
---| "quorate.project.create"
---| "quorate.project.select"
---| "quorate.project.open"
---| "quorate.changes.open"
---| "quorate.changes.apply"
---| "quorate.changes.discard"
---| "quorate.changes.undo"
---| "quorate.review"
---| "quorate.explain"
---| "quorate.fix"
---| "quorate.test"
---| "quorate.finding.dismiss"
---| "quorate.status"

---@class quorate.Commands
---@field ["quorate.chat"] { params: quorate.ChatParams, result: quorate.ChatResult }
---@field ["quorate.launch_run"] { params: quorate.LaunchRunParams, result: quorate.RunLaunched }
---@field ["quorate.approve"] { params: quorate.ApproveParams, result: quorate.DecisionResult }
---@field ["quorate.respond"] { params: quorate.RespondParams, result: quorate.DecisionResult }
---@field ["quorate.override"] { params: quorate.OverrideParams, result: quorate.OverrideResult }
---@field ["quorate.steer"] { params: quorate.SteerParams, result: quorate.SteerResult }
---@field ["quorate.cancel"] { params: quorate.CancelParams, result: quorate.CancelResult }
---@field ["quorate.modes"] { params: quorate.ModesParams, result: quorate.Modes }
---@field ["quorate.session.list"] { params: quorate.SessionListParams, result: quorate.SessionListResult }
---@field ["quorate.session.open"] { params: quorate.SessionOpenParams, result: quorate.SessionOpenResult }
---@field ["quorate.session.close"] { params: quorate.SessionParams, result: quorate.SessionRef }
---@field ["quorate.session.search"] { params: quorate.SessionSearchParams, result: quorate.SessionSearchResult }
---@field ["quorate.session.fork"] { params: quorate.SessionForkParams, result: quorate.SessionRef }
---@field ["quorate.session.rename"] { params: quorate.SessionRenameParams, result: quorate.SessionSummary }
---@field ["quorate.session.delete"] { params: quorate.SessionParams, result: quorate.SessionSummary }
---@field ["quorate.session.restore"] { params: quorate.SessionParams, result: quorate.SessionSummary }
---@field ["quorate.session.compact"] { params: quorate.SessionParams, result: quorate.SessionSummary }
---@field ["quorate.session.stats"] { params: quorate.SessionParams, result: quorate.SessionStats }
---@field ["quorate.session.export"] { params: quorate.SessionExportParams, result: quorate.SessionExportResult }
---@field ["quorate.session.import"] { params: quorate.SessionImportParams, result: quorate.SessionRef }
---@field ["quorate.run.list"] { params: quorate.RunListParams, result: quorate.RunListResult }
---@field ["quorate.run.open"] { params: quorate.RunParams, result: quorate.RunOpenResult }
---@field ["quorate.project.list"] { params: quorate.ProjectParams, result: quorate.ProjectListResult }
---@field ["quorate.project.create"] { params: quorate.ProjectParams, result: quorate.Project }
---@field ["quorate.project.select"] { params: quorate.ProjectParams, result: quorate.Project }
---@field ["quorate.project.open"] { params: quorate.ProjectParams, result: quorate.Project }
---@field ["quorate.changes.open"] { params: quorate.ChangesOpenParams, result: quorate.ChangesOpenResult }
---@field ["quorate.changes.apply"] { params: quorate.ChangesParams, result: quorate.ChangesResult }
---@field ["quorate.changes.discard"] { params: quorate.ChangesParams, result: quorate.ChangesResult }
---@field ["quorate.changes.undo"] { params: quorate.ChangesParams, result: quorate.ChangesResult }
---@field ["quorate.review"] { params: quorate.CodeActionParams, result: quorate.RunLaunched }
---@field ["quorate.explain"] { params: quorate.CodeActionParams, result: quorate.RunLaunched }
---@field ["quorate.fix"] { params: quorate.CodeActionParams, result: quorate.RunLaunched }
---@field ["quorate.test"] { params: quorate.CodeActionParams, result: quorate.RunLaunched }
---@field ["quorate.finding.dismiss"] { params: quorate.FindingDismissParams, result: quorate.FindingDismissResult }
---@field ["quorate.status"] { params: quorate.NoParams, result: quorate.StatusResult }
