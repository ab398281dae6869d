---@meta
-- Generated from the server's types by `make generate`. Do not edit.

---A command of the wire with its arguments filled in.
---@class teamwright.Action
---@field label string
---@field command string
---@field arguments table<string, any>
---@field key? string
---@field primary? boolean
---@field part? string
---@field input? teamwright.InputField[]

---An agent did what does not count: text where a vote was due, a faulty call, a refused answer. It was told so.
---@class teamwright.AgentCorrected
---@field type "agent.corrected"
---@field attempt integer
---@field misstep "plain_text"|"bad_call"|"refused"
---@field text string

---@class teamwright.AgentHealth
---@field agentId string
---@field backend string
---@field model? string
---@field health "unknown"|"ok"|"unreachable"|"misconfigured"
---@field detail? string
---@field latencyMs? number

---An agent at work was shown what is new, before the model call that can make use of it.
---@class teamwright.AgentInformed
---@field type "agent.informed"
---@field attempt integer
---@field seen teamwright.Seen

---@class teamwright.AgentStarted
---@field type "agent.started"
---@field attempt integer
---@field purpose "answer"|"plan"|"present"
---@field seen? teamwright.Seen

---How an agent has done in the runs that it took part in.
---@class teamwright.AgentStats
---@field agentId string
---@field runs integer
---@field won integer
---@field answers integer
---@field votes integer
---@field votesForWinner integer
---@field checked integer
---@field broke integer
---@field failed integer
---@field seconds number
---@field usage teamwright.Usage
---@field costUsd? number

---@class teamwright.AgentStopped
---@field type "agent.stopped"
---@field attempt integer
---@field reason "answered"|"voted"|"abstained"|"superseded"|"timeout"|"failed"|"cancelled"|"finished"
---@field error? string
---@field usage teamwright.Usage
---@field costUsd? number
---@field candidate? teamwright.Candidate

---@class teamwright.AgentView
---@field agentId string
---@field status "waiting"|"working"|"answered"|"voted"|"abstained"|"presenting"|"failed"|"stopped"
---@field attempt integer
---@field answers integer
---@field votedFor? string
---@field usage teamwright.Usage
---@field costUsd? number
---@field note? string

---Several agents' remarks on the same thing, as one: `agents` of `of` agree.
---@class teamwright.AgreedFinding
---@field findingId string
---@field uri string
---@field range teamwright.Range
---@field severity "error"|"warning"|"info"|"hint"
---@field title string
---@field detail string
---@field suggestion? string
---@field reproduced? "yes"|"no"|"not_run"
---@field notRunBecause? string
---@field agents string[]
---@field of integer
---@field disputedBy? string[]
---@field dismissed boolean

---@class teamwright.AnalysisFinding
---@field topic "alike_answers"|"flipped_votes"|"void_votes"|"idle_rounds"|"slow_agent"|"failing_agent"|"checks"|"outcome"
---@field tone "ok"|"bad"|"warn"|"busy"|"idle"|"accent"
---@field title string
---@field evidence string[]
---@field agents string[]

---An answer in full, with the files its agent had written by then.
---@class teamwright.Answer
---@field answerId string
---@field label string
---@field agentId string
---@field content string
---@field files string[]
---@field candidate? teamwright.Candidate
---@field checks teamwright.CheckView[]
---@field standing? "green"|"no_worse"|"broke"
---@field submittedAt string

---@class teamwright.AnswerBrief
---@field answerId string
---@field label string
---@field agentId string
---@field content string
---@field candidate? teamwright.Candidate
---@field changes? teamwright.Change[]
---@field checks teamwright.CheckView[]
---@field standing? "green"|"no_worse"|"broke"
---@field truncated? boolean

---@class teamwright.AnswerPreview
---@field answerId string
---@field label string
---@field agentId string
---@field preview string
---@field candidate? teamwright.Candidate
---@field checks teamwright.CheckView[]
---@field standing? "green"|"no_worse"|"broke"

---@class teamwright.AnswerSubmitted
---@field type "answer.submitted"
---@field answerId string
---@field label string
---@field content string
---@field plan? teamwright.Plan
---@field files? string[]
---@field candidate? teamwright.Candidate
---@field truncated? boolean

---`offset` counts the code points that the part has; a client that has fewer or more opens the session again.
---@class teamwright.AppendText
---@field op "append"
---@field entryId string
---@field part string
---@field offset integer
---@field text string

---`choice` is the id of one that the decision offers; `approve` and `cancel` are always among them.
---@class teamwright.ApproveParams
---@field decisionId string
---@field choice string
---@field edits? table<string, any>|vim.NIL
---@field instructions? string|vim.NIL

---@class teamwright.AssistantMessage
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "assistant_message"
---@field text string

---@class teamwright.AttachmentInput
---@field uri string
---@field range? teamwright.RangeInput|vim.NIL

---@class teamwright.Attachment
---@field uri string
---@field range? teamwright.Range

---A limit is met when any of its parts is.
---@class teamwright.BudgetInput
---@field usd? number|vim.NIL
---@field tokens? integer|vim.NIL
---@field seconds? number|vim.NIL

---A limit is met when any of its parts is.
---@class teamwright.Budget
---@field usd? number
---@field tokens? integer
---@field seconds? number

---@class teamwright.BudgetDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "budget"
---@field detail teamwright.BudgetDetail

---`limit` is all that may be spent up to the next question, what is spent already included.
---@class teamwright.BudgetDetail
---@field of "run"|"session"
---@field spent teamwright.BudgetSpent
---@field limit teamwright.Budget

---@class teamwright.BudgetReached
---@field type "budget.reached"
---@field spent teamwright.BudgetSpent
---@field sessionLimit? teamwright.Budget

---@class teamwright.BudgetSpent
---@field usd number|vim.NIL
---@field tokens integer
---@field seconds number
---@field usage teamwright.Usage

---@class teamwright.CancelParams
---@field runId? string|vim.NIL
---@field turnId? string|vim.NIL

---Somebody wants the run or turn to end; it does so with its `finished`, once everything at work has stopped.
---@class teamwright.CancelRequested
---@field type "cancel.requested"

---@class teamwright.CancelResult
---@field cancelled boolean

---What an answer changes in the user's files. `change_set_id` is a hash of every path with its bytes.
---@class teamwright.Candidate
---@field changeSetId string
---@field files string[]
---@field added integer
---@field removed integer
---@field changesOwnChecks? boolean

---@class teamwright.Change
---@field uri string
---@field kind "create"|"edit"|"delete"
---@field diff string
---@field hunks teamwright.Hunk[]
---@field agentId string
---@field truncated? boolean
---@field digest? string
---@field asks? string

---@class teamwright.ChangesDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "changes"
---@field detail teamwright.ChangesDetail

---`checks` are those of exactly these bytes; `moved`: the workspace is no longer the one that was checked.
---@class teamwright.ChangesDetail
---@field changes teamwright.Change[]
---@field checks teamwright.CheckView[]
---@field moved? boolean

---With an answer: what that one would make of the file.
---@class teamwright.ChangesOpenParams
---@field runId string
---@field uri string
---@field answerId? string|vim.NIL

---@class teamwright.ChangesOpenResult
---@field before string
---@field after string

---With an answer its candidate is meant, and not what the run has proposed; it can only be applied.
---@class teamwright.ChangesParams
---@field runId string
---@field files? teamwright.FileChoice[]|vim.NIL
---@field answerId? string|vim.NIL

---Another answer's changes, to be looked at in place of what a run that is over has proposed.
---@class teamwright.ChangesProposeParams
---@field runId string
---@field answerId string

---@class teamwright.ChangesProposeResult
---@field changeSetId string
---@field uris string[]

---@class teamwright.ChangesProposed
---@field type "changes.proposed"
---@field changes teamwright.Change[]
---@field changeSetId? string
---@field moved? boolean

---@class teamwright.ChangesResult
---@field settled teamwright.SettledFile[]

---@class teamwright.ChangesSettled
---@field type "changes.settled"
---@field settled teamwright.SettledFile[]

---@class teamwright.ChatParams
---@field text string
---@field sessionId? string|vim.NIL
---@field attachments? teamwright.AttachmentInput[]
---@field modes? teamwright.ModesInput|vim.NIL
---@field whenBusy? "queue"|"steer"

---@class teamwright.ChatResult
---@field sessionId string
---@field turnId string

---What a candidate makes worse than it is without it: names are bounded, counts are not.
---@class teamwright.CheckCompared
---@field type "check.compared"
---@field of teamwright.OfAnswer|"base"|"final"
---@field name string
---@field changeSetId? string
---@field broke string[]
---@field brokeCount integer
---@field notFixed integer
---@field flaky string[]

---@class teamwright.CheckCounts
---@field passed integer
---@field failed integer
---@field skipped integer

---A command of the project that says whether it still works. No shell: the words as they are.
---@class teamwright.CheckDefinition
---@field name string
---@field argv string[]
---@field cwd? string
---@field timeoutSeconds number
---@field paths? string[]
---@field report? string
---@field needs? string[]
---@field files? teamwright.CheckFile[]
---@field source "user"|"workspace"|"discovered"|"reproduction"

---@class teamwright.CheckFailure
---@field name string
---@field path? string
---@field uri? string
---@field line? integer
---@field message string

---As tools name paths.
---@class teamwright.CheckFile
---@field path string
---@field content string

---@class teamwright.CheckFinished
---@field type "check.finished"
---@field of teamwright.OfAnswer|"base"|"final"
---@field name string
---@field changeSetId? string
---@field outcome "passed"|"failed"|"timed_out"|"error"
---@field exitCode? integer
---@field seconds number
---@field tests? teamwright.CheckCounts
---@field failures teamwright.CheckFailure[]
---@field output string
---@field reused? boolean
---@field tree? string
---@field truncated? boolean

---@class teamwright.CheckOutput
---@field type "check.output"
---@field of teamwright.OfAnswer|"base"|"final"
---@field name string
---@field text string

---A failing place of a check; `source` says in words of which one, and on whose changes.
---@class teamwright.CheckProblem
---@field check string
---@field source string
---@field failure teamwright.CheckFailure

---At a person's wish, in place of those that were shown before; none: they are taken away.
---@class teamwright.CheckProblemsShown
---@field type "check.problems"
---@field of teamwright.OfAnswer|"base"|"final"
---@field problems teamwright.CheckProblem[]

---`change_set_id` says which bytes are checked; the base has none.
---@class teamwright.CheckStarted
---@field type "check.started"
---@field of teamwright.OfAnswer|"base"|"final"
---@field name string
---@field changeSetId? string

---A check of an answer, of the base or of the final change set, as it stands.
---@class teamwright.CheckView
---@field name string
---@field outcome "passed"|"failed"|"timed_out"|"error"|"running"
---@field tests? teamwright.CheckCounts
---@field broke? integer

---@class teamwright.Chip
---@field label string
---@field tone? "ok"|"bad"|"warn"|"busy"|"idle"|"accent"
---@field hint? string

---@class teamwright.ChipsData
---@field chips teamwright.Chip[]

---@class teamwright.ChipsPart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "chips"
---@field data teamwright.ChipsData

---@class teamwright.Choice
---@field id string
---@field label string

---@class teamwright.CodeActionParams
---@field uri? string|vim.NIL
---@field range? teamwright.RangeInput|vim.NIL
---@field diff? teamwright.DiffBase|vim.NIL
---@field findingIds? string[]|vim.NIL
---@field checks? string[]|vim.NIL
---@field instructions? string|vim.NIL
---@field sessionId? string|vim.NIL

---@class teamwright.CodeData
---@field language string

---@class teamwright.CodePart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "code"
---@field text string
---@field data teamwright.CodeData

---@class teamwright.CommandDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "command"
---@field detail teamwright.CommandDetail

---@class teamwright.CommandDetail
---@field argv string[]
---@field cwd string

---@class teamwright.ContextPathInput
---@field path string
---@field permission? "read"|"write"

---@class teamwright.ContextPath
---@field path string
---@field permission "read"|"write"

---The rules of coordination with every default filled in.
---@class teamwright.Coordination
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
---@field overrideSeconds number
---@field firstAnswerGraceSeconds number
---@field orchestratorTimeoutSeconds number
---@field initialRoundTimeoutSeconds number|vim.NIL
---@field subsequentRoundTimeoutSeconds number|vim.NIL
---@field roundTimeoutGraceSeconds number

---The rules of coordination that one run may set for itself; what is left out comes from the configuration.
---@class teamwright.CoordinationOverridesInput
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
---@field overrideSeconds? number|vim.NIL
---@field firstAnswerGraceSeconds? number|vim.NIL
---@field orchestratorTimeoutSeconds? number|vim.NIL
---@field initialRoundTimeoutSeconds? number|vim.NIL
---@field subsequentRoundTimeoutSeconds? number|vim.NIL
---@field roundTimeoutGraceSeconds? number|vim.NIL

---The rules of coordination that one run may set for itself; what is left out comes from the configuration.
---@class teamwright.CoordinationOverrides
---@field votingSensitivity? "lenient"|"balanced"|"strict"
---@field maxNewAnswersPerAgent? integer
---@field maxNewAnswersGlobal? integer
---@field answerNoveltyRequirement? "lenient"|"balanced"|"strict"
---@field fairnessEnabled? boolean
---@field fairnessLeadCapAnswers? integer
---@field deferVotingUntilAllAnswered? boolean
---@field disableInjection? boolean
---@field skipVoting? boolean
---@field skipFinalPresentation? boolean
---@field finalAnswerStrategy? "winner_reuse"|"winner_present"|"synthesize"
---@field override? "ask"|"offer"|"off"
---@field overrideSeconds? number
---@field firstAnswerGraceSeconds? number
---@field orchestratorTimeoutSeconds? number
---@field initialRoundTimeoutSeconds? number
---@field subsequentRoundTimeoutSeconds? number
---@field roundTimeoutGraceSeconds? number

---@class teamwright.CostEstimate
---@field usdLow number
---@field usdHigh number

---@alias teamwright.Decision teamwright.RunDecision|teamwright.PlanDecision|teamwright.ChangesDecision|teamwright.InputDecision|teamwright.OverrideDecision|teamwright.BudgetDecision|teamwright.CommandDecision|teamwright.ToolDecision|teamwright.MemoryDecision|teamwright.ResumeDecision

---@class teamwright.DecisionRequested
---@field type "decision.requested"
---@field decision teamwright.Decision

---@class teamwright.DecisionResolved
---@field type "decision.resolved"
---@field decisionId string
---@field choice string
---@field by "user"|"timeout"|"policy"|"cancelled"
---@field edits? table<string, any>
---@field text? string

---@class teamwright.DecisionResult
---@field decision teamwright.Resolution

---@class teamwright.DiffBase
---@field base string

---@class teamwright.DiffData
---@field uri string
---@field change "create"|"edit"|"delete"
---@field added integer
---@field removed integer
---@field hunks teamwright.DiffHunk[]
---@field outcome? "applied"|"rejected"|"conflicted"

---@class teamwright.DiffHunk
---@field index integer
---@field oldStart integer
---@field oldLines integer
---@field newStart integer
---@field newLines integer
---@field lines string[]

---`text` is the file's path as people know it.
---@class teamwright.DiffPart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "diff"
---@field text string
---@field data teamwright.DiffData

---@class teamwright.Entry
---@field entryId string
---@field kind "message"|"answer"|"reasoning"|"activity"|"run"|"decision"|"changes"|"findings"|"analysis"|"plan"|"tasks"|"notice"|"compaction"|"error"
---@field title? string
---@field parts teamwright.Part[]
---@field actions teamwright.Action[]
---@field state? "queued"|"sent"|"steered"|"streaming"|"running"|"waiting"|"done"|"failed"|"cancelled"|"info"|"warning"|"error"
---@field at? string
---@field seq? integer
---@field expiresAt? string
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field decisionId? string

---@alias teamwright.Event teamwright.SessionCreated|teamwright.SessionUpdated|teamwright.SessionCompacted|teamwright.HiddenTextFound|teamwright.TurnQueued|teamwright.TurnStarted|teamwright.TurnFinished|teamwright.ItemStarted|teamwright.ItemFinished|teamwright.DecisionRequested|teamwright.DecisionResolved|teamwright.TasksUpdated|teamwright.RunStarted|teamwright.CancelRequested|teamwright.TimerElapsed|teamwright.BudgetReached|teamwright.AgentStarted|teamwright.AgentInformed|teamwright.AgentCorrected|teamwright.AgentStopped|teamwright.AnswerSubmitted|teamwright.VoteCast|teamwright.CheckStarted|teamwright.CheckFinished|teamwright.CheckCompared|teamwright.MessageShared|teamwright.FindingReported|teamwright.FindingDismissed|teamwright.WinnerSelected|teamwright.PlanProposed|teamwright.ChangesProposed|teamwright.ChangesSettled|teamwright.RunFinished|teamwright.RunAnalyzed|teamwright.SessionResync|teamwright.ItemDelta|teamwright.CheckOutput|teamwright.CheckProblemsShown|teamwright.FindingsUpdated|teamwright.RunUpdated|teamwright.UsageReported|teamwright.TranscriptPatched|teamwright.NoticeRaised

---@class teamwright.EventRecord
---@field v 1
---@field seq integer|vim.NIL
---@field at string
---@field sessionId string|vim.NIL
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field event teamwright.Event

---A file of a change set, whole or only some of its hunks.
---@class teamwright.FileChoice
---@field uri string
---@field hunks? integer[]|vim.NIL

---@class teamwright.Finding
---@field findingId string
---@field uri string
---@field range teamwright.Range
---@field severity "error"|"warning"|"info"|"hint"
---@field title string
---@field detail string
---@field suggestion? string
---@field reproduced? "yes"|"no"|"not_run"
---@field notRunBecause? string

---@class teamwright.FindingDismissParams
---@field findingIds string[]

---@class teamwright.FindingDismissResult
---@field dismissed string[]

---The user wants to see no more of these. The ids are those of all remarks behind a finding.
---@class teamwright.FindingDismissed
---@field type "finding.dismissed"
---@field findingIds string[]

---@class teamwright.FindingReported
---@field type "finding.reported"
---@field finding teamwright.Finding
---@field reproduction? teamwright.Reproduction

---All findings of the session.
---@class teamwright.FindingsUpdated
---@field type "findings.updated"
---@field findings teamwright.AgreedFinding[]

---@class teamwright.ForgetParams
---@field answerIds? string[]|vim.NIL

---@class teamwright.ForgetResult
---@field forgotten teamwright.RememberedAnswer[]

---A file that the assistant follows holds words that its reader does not see. Kept, so that whoever opens the session later is told, too; `digest` is of the file's text, about which nothing is told twice.
---@class teamwright.HiddenTextFound
---@field type "hidden_text.found"
---@field text string
---@field digest string

---@class teamwright.Hunk
---@field index integer
---@field oldStart integer
---@field oldLines integer
---@field newStart integer
---@field newLines integer

---A field of each row. What a row has beside its columns stays as it is.
---@class teamwright.InputColumn
---@field key string
---@field label string
---@field options? teamwright.InputOption[]

---@class teamwright.InputDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "input"
---@field detail teamwright.InputDetail

---@class teamwright.InputDetail
---@field question string
---@field choices string[]
---@field agentId? string

---Something to ask for before a command is sent, and where in its arguments the answer goes.
---@class teamwright.InputField
---@field path string[]
---@field kind "text"|"number"|"flag"|"choice"|"list"|"rows"|"hunks"
---@field label string
---@field value? any
---@field placeholder? string
---@field required? boolean
---@field long? boolean
---@field options? teamwright.InputOption[]
---@field columns? teamwright.InputColumn[]
---@field group? string

---@class teamwright.InputOption
---@field label string
---@field value any

---@alias teamwright.Item teamwright.UserMessage|teamwright.AssistantMessage|teamwright.Reasoning|teamwright.Presentation|teamwright.ToolCall

---`offset` counts code points of the item's text, so that a client can see a gap.
---@class teamwright.ItemDelta
---@field type "item.delta"
---@field itemId string
---@field offset integer
---@field text string

---@class teamwright.ItemFinished
---@field type "item.finished"
---@field item teamwright.Item
---@field endsTurn? boolean
---@field usage? teamwright.Usage
---@field costUsd? number

---@class teamwright.ItemStarted
---@field type "item.started"
---@field item teamwright.Item
---@field step? integer
---@field usage? teamwright.Usage
---@field costUsd? number

---`modes` are those of a session that is begun with the run, or switched to in one that is at rest.
---@class teamwright.LaunchRunParams
---@field task string
---@field context? string|vim.NIL
---@field agentMode? "single"|"multi"|vim.NIL
---@field agents? string[]|vim.NIL
---@field refinement? boolean|vim.NIL
---@field planningMode? boolean|vim.NIL
---@field executeAfterPlanning? boolean|vim.NIL
---@field review? boolean|vim.NIL
---@field contextPaths? teamwright.ContextPathInput[]|vim.NIL
---@field agentSystemPrompts? table<string, string>|vim.NIL
---@field coordinationOverrides? teamwright.CoordinationOverridesInput|vim.NIL
---@field budget? teamwright.BudgetInput|vim.NIL
---@field checks? string[]|vim.NIL
---@field checksPolicy? "prefer"|"require"|"inform"|vim.NIL
---@field allowCommands? boolean|vim.NIL
---@field taskId? string|vim.NIL
---@field sessionId? string|vim.NIL
---@field modes? teamwright.ModesInput|vim.NIL
---@field approval? "ask"|"given"|vim.NIL
---@field attachments? teamwright.AttachmentInput[]
---@field where? "local"|"workers"|"auto"|vim.NIL

---@class teamwright.Limits
---@field maxActiveSessions integer
---@field activeSessions integer
---@field idleMinutes number
---@field maxSteps integer

---@class teamwright.LinkData
---@field uri string
---@field range? teamwright.Range

---`text` is what to show.
---@class teamwright.LinkPart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "link"
---@field text string
---@field data teamwright.LinkData

---@class teamwright.ListedTask
---@field id string
---@field title string
---@field state "pending"|"running"|"done"|"failed"|"dropped"
---@field runId? string

---@class teamwright.MarkdownPart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "markdown"
---@field text string

---@class teamwright.MemoryDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "memory"
---@field detail teamwright.MemoryDetail

---What the assistant wants to remember from now on: of the user, in every workspace, or of this workspace.
---@class teamwright.MemoryDetail
---@field text string
---@field origin string
---@field of "user"|"workspace"

---@class teamwright.MessageShared
---@field type "message.shared"
---@field from string
---@field to string[]
---@field text string
---@field part? "question"|"answer"
---@field truncated? boolean

---@class teamwright.MeterData
---@field used number
---@field of number

---`text` says it in words.
---@class teamwright.MeterPart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "meter"
---@field text string
---@field data teamwright.MeterData

---@class teamwright.ModesInput
---@field plan? boolean|vim.NIL
---@field agentMode? "single"|"multi"|vim.NIL
---@field agentId? string|vim.NIL
---@field refinement? boolean|vim.NIL
---@field autonomy? "hitl"|"autonomous"
---@field team? "auto"|"always"|"never"

---@class teamwright.Modes
---@field plan boolean|vim.NIL
---@field agentMode "single"|"multi"|vim.NIL
---@field agentId string|vim.NIL
---@field refinement boolean|vim.NIL
---@field autonomy "hitl"|"autonomous"
---@field team "auto"|"always"|"never"

---Without a session only what new ones begin with can be read.
---@class teamwright.ModesParams
---@field plan? boolean|vim.NIL
---@field agentMode? "single"|"multi"|vim.NIL
---@field agentId? string|vim.NIL
---@field refinement? boolean|vim.NIL
---@field autonomy? "hitl"|"autonomous"
---@field team? "auto"|"always"|"never"
---@field sessionId? string|vim.NIL

---@class teamwright.NoParams

---@class teamwright.NoticeRaised
---@field type "notice.raised"
---@field level "info"|"warning"|"error"
---@field text string
---@field hint? string

---@class teamwright.OfAnswerInput
---@field answerId string

---@class teamwright.OfAnswer
---@field answerId string

---@class teamwright.OverrideDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "override"
---@field detail teamwright.OverrideDetail

---@class teamwright.OverrideDetail
---@field answers teamwright.AnswerBrief[]

---A null agent lets the vote stand now; leaving it out is a mistake.
---@class teamwright.OverrideParams
---@field runId string
---@field agentId string|vim.NIL

---@class teamwright.OverrideResult
---@field runId string
---@field agentId string|vim.NIL

---@alias teamwright.Part teamwright.MarkdownPart|teamwright.PlainPart|teamwright.CodePart|teamwright.DiffPart|teamwright.TablePart|teamwright.LinkPart|teamwright.MeterPart|teamwright.ChipsPart|teamwright.TimelinePart

---@alias teamwright.PatchOp teamwright.UpsertEntry|teamwright.RemoveEntry|teamwright.AppendText

---A context path of a run, with the number of files below it.
---@class teamwright.PathScope
---@field path string
---@field permission "read"|"write"
---@field count integer

---@class teamwright.PlainPart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "plain"
---@field text string

---@class teamwright.Plan
---@field title string
---@field tasks teamwright.PlanTask[]

---@class teamwright.PlanDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "plan"
---@field detail teamwright.PlanDetail

---@class teamwright.PlanDetail
---@field plan teamwright.Plan
---@field path string

---Of the plan that the run has made: these tasks, or all that nobody has carried out.
---@class teamwright.PlanExecuteParams
---@field runId string
---@field tasks? string[]|vim.NIL
---@field instructions? string|vim.NIL

---What carrying out a plan came to. Usage and cost are its own, beside those of the run that made the plan.
---@class teamwright.PlanExecution
---@field runId string
---@field outcome "completed"|"cancelled"|"failed"|"timed_out"
---@field text? string
---@field footer? string
---@field written string[]
---@field checks teamwright.CheckView[]
---@field usage teamwright.Usage
---@field costUsd? number
---@field error? string
---@field pending string[]
---@field truncated? boolean

---@class teamwright.PlanProposed
---@field type "plan.proposed"
---@field plan teamwright.Plan
---@field path string

---@class teamwright.PlanTask
---@field id string
---@field title string
---@field detail string
---@field phase? string
---@field files? string[]

---@class teamwright.PositionInput
---@field line integer
---@field character integer

---@class teamwright.Position
---@field line integer
---@field character integer

---@class teamwright.Presentation
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "presentation"
---@field text string

---@class teamwright.Project
---@field name string
---@field path string
---@field goal string
---@field context string
---@field filepaths table<string, teamwright.ProjectPath>
---@field deliverables string[]
---@field runs string[]

---@class teamwright.ProjectListResult
---@field projects teamwright.Project[]

---@class teamwright.ProjectParams
---@field name? string|vim.NIL
---@field goal? string|vim.NIL
---@field sessionId? string|vim.NIL

---@class teamwright.ProjectPath
---@field path string
---@field kind "file"|"directory"
---@field description string

---A check on the card that asks for a run's approval. One that is not ticked does not run.
---@class teamwright.ProposedCheck
---@field name string
---@field argv string[]
---@field cwd? string
---@field source "user"|"workspace"|"discovered"|"reproduction"
---@field ticked boolean

---As in LSP: zero-based, the end excluded.
---@class teamwright.RangeInput
---@field start teamwright.PositionInput
---@field end teamwright.PositionInput

---As in LSP: zero-based, the end excluded.
---@class teamwright.Range
---@field start teamwright.Position
---@field end teamwright.Position

---@class teamwright.Reasoning
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "reasoning"
---@field text string

---@class teamwright.Recommendation
---@field text string
---@field why string

---What a person has said once and for all, in words.
---@class teamwright.RememberedAnswer
---@field answerId string
---@field about "tool"|"check"
---@field title string
---@field says string

---@class teamwright.RememberedResult
---@field answers teamwright.RememberedAnswer[]

---@class teamwright.RemoveEntry
---@field op "remove"
---@field entryId string

---A command that fails because of a finding, and the files that it brings along.
---@class teamwright.Reproduction
---@field argv string[]
---@field files teamwright.CheckFile[]

---How a decision was taken: what a second answer is told with its 409.
---@class teamwright.Resolution
---@field decisionId string
---@field choice string
---@field by "user"|"timeout"|"policy"|"cancelled"
---@field edits? table<string, any>
---@field text? string

---As it runs: nothing is left open, so that the log alone says what was done.
---@class teamwright.ResolvedRunSpec
---@field task string
---@field context? string
---@field agentMode "single"|"multi"
---@field agents string[]
---@field refinement boolean
---@field planningMode boolean
---@field executeAfterPlanning boolean
---@field review boolean
---@field contextPaths teamwright.ContextPath[]
---@field agentSystemPrompts table<string, string>
---@field coordinationOverrides teamwright.Coordination
---@field budget? teamwright.Budget
---@field checks teamwright.CheckDefinition[]
---@field checksPolicy "prefer"|"require"|"inform"
---@field checksWaitSeconds number
---@field allowCommands boolean
---@field taskId? string
---@field call? string
---@field continues? string
---@field truncated? boolean

---@class teamwright.RespondParams
---@field decisionId string
---@field text string

---@class teamwright.ResumeDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "resume"
---@field detail teamwright.ResumeDetail

---@class teamwright.ResumeDetail
---@field what "turn"|"run"|"session"
---@field task string
---@field done string
---@field items? teamwright.ResumeItem[]

---Something that was at work, where there was more than one.
---@class teamwright.ResumeItem
---@field what "turn"|"run"
---@field id string
---@field task string

---The same task once more, in the same session, but for what is changed.
---@class teamwright.RunAgainParams
---@field runId string
---@field changes? teamwright.RunSpecEditInput|vim.NIL
---@field approval? "ask"|"given"|vim.NIL

---@class teamwright.RunAnalysis
---@field findings teamwright.AnalysisFinding[]
---@field stages teamwright.StageUse[]
---@field timeline teamwright.TimelineData
---@field recommendations teamwright.Recommendation[]
---@field settings? teamwright.RunSpecEdit

---@class teamwright.RunAnalyzeParams
---@field runId string
---@field opinion? boolean
---@field instructions? string|vim.NIL

---An opinion comes later, with a further `run.analyzed`.
---@class teamwright.RunAnalyzeResult
---@field analysis teamwright.RunAnalysis

---Somebody wanted to know what can be learned from the run, or what a model makes of it.
---@class teamwright.RunAnalyzed
---@field type "run.analyzed"
---@field analysis teamwright.RunAnalysis
---@field opinion? string
---@field usage? teamwright.Usage
---@field costUsd? number

---@class teamwright.RunCheckParams
---@field runId string
---@field files? teamwright.FileChoice[]|vim.NIL

---The checks that are run on these bytes; what comes of them are events of the run.
---@class teamwright.RunCheckResult
---@field changeSetId string
---@field checks string[]

---@class teamwright.RunChecks
---@field base teamwright.CheckView[]
---@field final teamwright.CheckView[]

---Without instructions it goes on with what it was asked.
---@class teamwright.RunContinueParams
---@field runId string
---@field instructions? string|vim.NIL

---@class teamwright.RunDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "run"
---@field detail teamwright.RunDetail

---@class teamwright.RunDetail
---@field spec teamwright.ResolvedRunSpec
---@field files teamwright.PathScope[]
---@field estimate teamwright.CostEstimate|vim.NIL
---@field reason string
---@field checks teamwright.ProposedCheck[]
---@field checksOff? string
---@field writing? teamwright.ContextPath[]
---@field withoutSandbox? boolean

---@class teamwright.RunFinished
---@field type "run.finished"
---@field outcome "completed"|"cancelled"|"failed"|"timed_out"
---@field result? teamwright.RunResult
---@field footer? string
---@field written string[]
---@field usage teamwright.Usage
---@field costUsd? number
---@field error? string
---@field checks? teamwright.CheckView[]
---@field execution? teamwright.PlanExecution

---@class teamwright.RunLaunched
---@field sessionId string
---@field runId string
---@field decisionId? string

---@class teamwright.RunListParams
---@field sessionId? string|vim.NIL
---@field project? string|vim.NIL
---@field limit? integer

---@class teamwright.RunListResult
---@field runs teamwright.RunView[]

---@class teamwright.RunOpenResult
---@field run teamwright.RunView
---@field answers teamwright.Answer[]
---@field result? teamwright.RunResult
---@field execution? teamwright.PlanExecution
---@field logDir string
---@field transcript? teamwright.Transcript

---@class teamwright.RunParams
---@field runId string

---Where the checks of an answer, of the workspace without any or of what is proposed fail, to be shown there.
---@class teamwright.RunProblemsParams
---@field runId string
---@field of? teamwright.OfAnswerInput|"base"|"final"|vim.NIL
---@field shown? boolean|vim.NIL

---@class teamwright.RunProblemsResult
---@field count integer

---@class teamwright.RunReportParams
---@field runId string
---@field format? "html"|"markdown"
---@field mask? boolean

---@class teamwright.RunReportResult
---@field text string
---@field name string
---@field warnings string[]

---@class teamwright.RunResult
---@field text string
---@field agentId string
---@field strategy string
---@field truncated? boolean

---@class teamwright.RunResumed
---@field runId string

---What a person changes in a specification before approving it.
---@class teamwright.RunSpecEditInput
---@field task? string|vim.NIL
---@field context? string|vim.NIL
---@field agentMode? "single"|"multi"|vim.NIL
---@field agents? string[]|vim.NIL
---@field refinement? boolean|vim.NIL
---@field planningMode? boolean|vim.NIL
---@field executeAfterPlanning? boolean|vim.NIL
---@field review? boolean|vim.NIL
---@field contextPaths? teamwright.ContextPathInput[]|vim.NIL
---@field agentSystemPrompts? table<string, string>|vim.NIL
---@field coordinationOverrides? teamwright.CoordinationOverridesInput|vim.NIL
---@field budget? teamwright.BudgetInput|vim.NIL
---@field checks? string[]|vim.NIL
---@field checksPolicy? "prefer"|"require"|"inform"|vim.NIL
---@field allowCommands? boolean|vim.NIL
---@field taskId? string|vim.NIL

---What a person changes in a specification before approving it.
---@class teamwright.RunSpecEdit
---@field task? string
---@field context? string
---@field agentMode? "single"|"multi"
---@field agents? string[]
---@field refinement? boolean
---@field planningMode? boolean
---@field executeAfterPlanning? boolean
---@field review? boolean
---@field contextPaths? teamwright.ContextPath[]
---@field agentSystemPrompts? table<string, string>
---@field coordinationOverrides? teamwright.CoordinationOverrides
---@field budget? teamwright.Budget
---@field checks? string[]
---@field checksPolicy? "prefer"|"require"|"inform"
---@field allowCommands? boolean
---@field taskId? string

---@class teamwright.RunStarted
---@field type "run.started"
---@field spec teamwright.ResolvedRunSpec
---@field parentRunId? string
---@field planTasks? string[]
---@field autonomy "hitl"|"autonomous"
---@field applyChanges "ask"|"auto"
---@field executePlan "ask"|"auto"

---@class teamwright.RunUpdated
---@field type "run.updated"
---@field run teamwright.RunView

---@class teamwright.RunView
---@field runId string
---@field parentRunId? string
---@field task string
---@field phase "queued"|"planning"|"answering"|"checking"|"voting"|"override"|"presenting"|"executing"|"applying"|"finished"
---@field outcome? "completed"|"cancelled"|"failed"|"timed_out"
---@field agents teamwright.AgentView[]
---@field answers teamwright.AnswerPreview[]
---@field checks teamwright.RunChecks
---@field votes teamwright.VoteView[]
---@field tally table<string, integer>
---@field winner? string
---@field decisions string[]
---@field usage teamwright.Usage
---@field costUsd? number
---@field budget? teamwright.Budget
---@field startedAt string
---@field finishedAt? string
---@field written string[]
---@field truncated? boolean

---@class teamwright.SearchHit
---@field sessionId string
---@field seq integer
---@field snippet string

---How far an agent was shown the run: that many of its answers and of its messages, from the first on.
---@class teamwright.Seen
---@field answers integer
---@field messages integer

---@class teamwright.SessionCompacted
---@field type "session.compacted"
---@field summary string
---@field upToSeq integer
---@field usage? teamwright.Usage
---@field costUsd? number

---@class teamwright.SessionCreated
---@field type "session.created"
---@field session teamwright.SessionSummary

---@class teamwright.SessionExportParams
---@field sessionId string
---@field format? "json"|"markdown"
---@field mask? boolean

---@class teamwright.SessionExportResult
---@field text string
---@field warnings string[]

---@class teamwright.SessionForkParams
---@field sessionId string
---@field atSeq? integer|vim.NIL

---@class teamwright.SessionImportParams
---@field text string

---@class teamwright.SessionListParams
---@field query? string|vim.NIL
---@field project? string|vim.NIL
---@field limit? integer
---@field before? string|vim.NIL

---@class teamwright.SessionListResult
---@field sessions teamwright.SessionSummary[]

---@class teamwright.SessionOpenParams
---@field sessionId string
---@field afterSeq? integer|vim.NIL
---@field itemsBefore? integer|string|vim.NIL

---@class teamwright.SessionOpenResult
---@field session teamwright.SessionView
---@field transcript? teamwright.Transcript
---@field events teamwright.EventRecord[]
---@field more boolean

---@class teamwright.SessionParams
---@field sessionId string

---@class teamwright.SessionRef
---@field sessionId string

---@class teamwright.SessionRenameParams
---@field sessionId string
---@field title string

---@class teamwright.SessionResync
---@field type "session.resync"
---@field lastSeq integer

---@class teamwright.SessionSearchParams
---@field text string
---@field limit? integer

---@class teamwright.SessionSearchResult
---@field hits teamwright.SearchHit[]

---@class teamwright.SessionStats
---@field sessionId string
---@field turns integer
---@field runs integer
---@field messages integer
---@field usage teamwright.Usage
---@field costUsd? number
---@field seconds number

---@class teamwright.SessionSummary
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
---@field modes teamwright.Modes
---@field busy boolean

---Without tasks the list is only read; with them it is the whole list from now on.
---@class teamwright.SessionTasksParams
---@field sessionId string
---@field tasks? teamwright.TaskEdit[]|vim.NIL

---@class teamwright.SessionTasksResult
---@field tasks teamwright.ListedTask[]

---@class teamwright.SessionUpdated
---@field type "session.updated"
---@field session teamwright.SessionSummary

---@class teamwright.SessionView
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
---@field modes teamwright.Modes
---@field busy boolean
---@field items teamwright.Item[]
---@field runViews teamwright.RunView[]
---@field decisions teamwright.Decision[]
---@field findings teamwright.AgreedFinding[]
---@field tasks teamwright.ListedTask[]

---@class teamwright.SettledFile
---@field uri string
---@field outcome "applied"|"rejected"|"conflicted"
---@field reason? string

---@class teamwright.StageUse
---@field stage "planning"|"answering"|"refining"|"voting"|"presenting"|"unused"
---@field label string
---@field usage teamwright.Usage
---@field costUsd? number
---@field seconds number

---@class teamwright.StatsParams
---@field project? string|vim.NIL
---@field limit? integer

---@class teamwright.StatsResult
---@field runs integer
---@field agents teamwright.AgentStats[]
---@field text string

---@class teamwright.StatusResult
---@field agents teamwright.AgentHealth[]
---@field modes teamwright.Modes
---@field limits teamwright.Limits
---@field costUsd number|vim.NIL
---@field decisions teamwright.Decision[]
---@field trusted boolean
---@field versions teamwright.Versions

---@class teamwright.SteerParams
---@field text string
---@field runId? string|vim.NIL
---@field sessionId? string|vim.NIL
---@field agents? string[]|vim.NIL

---@class teamwright.SteerResult
---@field delivered string[]

---@class teamwright.TableCell
---@field text string
---@field tone? "ok"|"bad"|"warn"|"busy"|"idle"|"accent"
---@field hint? string

---@class teamwright.TableColumn
---@field label string
---@field align? "right"

---@class teamwright.TableData
---@field columns teamwright.TableColumn[]
---@field rows teamwright.TableRow[]

---Where every column's label is empty there is no head to draw.
---@class teamwright.TablePart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "table"
---@field data teamwright.TableData

---@class teamwright.TableRow
---@field cells teamwright.TableCell[]
---@field agentId? string
---@field void? boolean

---As a person writes it: a new one has no id yet.
---@class teamwright.TaskEdit
---@field id? string|vim.NIL
---@field title string
---@field state? "pending"|"running"|"done"|"failed"|"dropped"
---@field runId? string|vim.NIL

---The whole list as it is from now on: by the assistant in its turn, by a person, or as runs begin and end.
---@class teamwright.TasksUpdated
---@field type "tasks.updated"
---@field tasks teamwright.ListedTask[]

---@class teamwright.TimelineData
---@field seconds number
---@field lanes teamwright.TimelineLane[]
---@field legend teamwright.Chip[]

---@class teamwright.TimelineLane
---@field label string
---@field note? string
---@field agentId? string
---@field spans teamwright.TimelineSpan[]
---@field marks teamwright.TimelineMark[]

---Something that happened at a moment. `sign` is one character, for where there is no room for words.
---@class teamwright.TimelineMark
---@field at number
---@field sign string
---@field label string
---@field tone? "ok"|"bad"|"warn"|"busy"|"idle"|"accent"

---A picture for a client to draw, one lane below the other; `text` says what it shows, and what its signs mean.
---@class teamwright.TimelinePart
---@field part string
---@field title? string
---@field folded? boolean
---@field agentId? string
---@field truncated? boolean
---@field kind "timeline"
---@field text string
---@field data teamwright.TimelineData

---Somebody at work, or something that ran. Times are seconds since the beginning.
---@class teamwright.TimelineSpan
---@field start number
---@field end number
---@field label string
---@field tone? "ok"|"bad"|"warn"|"busy"|"idle"|"accent"

---Time passed, as a fact: the `round_…` ones are about an agent's attempt, `checks_wait` about what is checked, the others about the run.
---@class teamwright.TimerElapsed
---@field type "timer.elapsed"
---@field timer "run"|"budget"|"first_answer_grace"|"checks_wait"|"round_wrap_up"|"round_tools_closed"|"round_over"
---@field attempt? integer
---@field of? teamwright.OfAnswer|"base"|"final"

---@class teamwright.ToolCall
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

---@class teamwright.ToolDecision
---@field decisionId string
---@field title string
---@field choices teamwright.Choice[]
---@field expiresAt? string
---@field sessionId? string
---@field runId? string
---@field kind "tool"
---@field detail teamwright.ToolDetail

---A call of an MCP server's tool that the user has not decided on for good.
---@class teamwright.ToolDetail
---@field server string
---@field tool string
---@field description string
---@field arguments table<string, any>
---@field traits ("read_only"|"destructive")[]
---@field changed? boolean
---@field pin string

---`rev` counts notifications per client and transcript; `more` says that there are entries before these.
---@class teamwright.Transcript
---@field rev integer
---@field entries teamwright.Entry[]
---@field more boolean

---Of a session's transcript, or of a run's where the envelope names one. A gap in `rev` means: open it again.
---@class teamwright.TranscriptPatched
---@field type "transcript.patched"
---@field rev integer
---@field patch teamwright.PatchOp[]

---@class teamwright.TurnFinished
---@field type "turn.finished"
---@field outcome "completed"|"cancelled"|"failed"
---@field error? string
---@field usage teamwright.Usage
---@field costUsd? number

---@class teamwright.TurnQueued
---@field type "turn.queued"
---@field text string
---@field truncated? boolean
---@field attachments teamwright.Attachment[]
---@field modes? teamwright.Modes

---@class teamwright.TurnStarted
---@field type "turn.started"
---@field text string
---@field truncated? boolean

---A known entry is replaced where it stands. A new one goes behind the entry `after`, or to the end.
---@class teamwright.UpsertEntry
---@field op "upsert"
---@field entry teamwright.Entry
---@field after? string

---@class teamwright.Usage
---@field inputTokens integer
---@field outputTokens integer
---@field cachedTokens? integer
---@field calls integer

---@class teamwright.UsageReported
---@field type "usage.reported"
---@field usage teamwright.Usage
---@field costUsd? number
---@field sessionCostUsd? number

---@class teamwright.UserMessage
---@field itemId string
---@field discarded? boolean
---@field truncated? boolean
---@field seq? integer
---@field turnId? string
---@field runId? string
---@field agentId? string
---@field kind "user_message"
---@field text string
---@field attachments teamwright.Attachment[]

---@class teamwright.Versions
---@field server string
---@field protocol integer

---@class teamwright.VoteCast
---@field type "vote.cast"
---@field target string
---@field reason string
---@field disputed? string[]

---@class teamwright.VoteView
---@field agentId string
---@field target string
---@field reason string
---@field counts boolean

---@class teamwright.WinnerSelected
---@field type "winner.selected"
---@field agentId string
---@field tally table<string, integer>
---@field by "votes"|"checks"|"override"|"only"|"timeout"
---@field note? string

---@alias teamwright.CommandName
---| "teamwright.chat"
---| "teamwright.launch_run"
---| "teamwright.approve"
---| "teamwright.respond"
---| "teamwright.override"
---| "teamwright.steer"
---| "teamwright.cancel"
---| "teamwright.modes"
---| "teamwright.session.list"
---| "teamwright.session.open"
---| "teamwright.session.close"
---| "teamwright.session.search"
---| "teamwright.session.fork"
---| "teamwright.session.rename"
---| "teamwright.session.delete"
---| "teamwright.session.restore"
---| "teamwright.session.compact"
---| "teamwright.session.stats"
---| "teamwright.session.tasks"
---| "teamwright.session.export"
---| "teamwright.session.import"
---| "teamwright.run.list"
---| "teamwright.run.open"
---| "teamwright.run.check"
---| "teamwright.run.problems"
---| "teamwright.run.resume"
---| "teamwright.run.continue"
---| "teamwright.plan.execute"
---| "teamwright.run.analyze"
---| "teamwright.run.again"
---| "teamwright.run.report"
---| "teamwright.project.list"
---| "teamwright.project.create"
---| "teamwright.project.select"
---| "teamwright.project.open"
---| "teamwright.changes.open"
---| "teamwright.changes.propose"
---| "teamwright.changes.apply"
---| "teamwright.changes.discard"
---| "teamwright.changes.undo"
---| "teamwright.review"
---| "teamwright.explain"
---| "teamwright.fix"
---| "teamwright.test"
---| "teamwright.finding.dismiss"
---| "teamwright.remembered.list"
---| "teamwright.remembered.forget"
---| "teamwright.stats"
---| "teamwright.status"

---@class teamwright.Commands
---@field ["teamwright.chat"] { params: teamwright.ChatParams, result: teamwright.ChatResult }
---@field ["teamwright.launch_run"] { params: teamwright.LaunchRunParams, result: teamwright.RunLaunched }
---@field ["teamwright.approve"] { params: teamwright.ApproveParams, result: teamwright.DecisionResult }
---@field ["teamwright.respond"] { params: teamwright.RespondParams, result: teamwright.DecisionResult }
---@field ["teamwright.override"] { params: teamwright.OverrideParams, result: teamwright.OverrideResult }
---@field ["teamwright.steer"] { params: teamwright.SteerParams, result: teamwright.SteerResult }
---@field ["teamwright.cancel"] { params: teamwright.CancelParams, result: teamwright.CancelResult }
---@field ["teamwright.modes"] { params: teamwright.ModesParams, result: teamwright.Modes }
---@field ["teamwright.session.list"] { params: teamwright.SessionListParams, result: teamwright.SessionListResult }
---@field ["teamwright.session.open"] { params: teamwright.SessionOpenParams, result: teamwright.SessionOpenResult }
---@field ["teamwright.session.close"] { params: teamwright.SessionParams, result: teamwright.SessionRef }
---@field ["teamwright.session.search"] { params: teamwright.SessionSearchParams, result: teamwright.SessionSearchResult }
---@field ["teamwright.session.fork"] { params: teamwright.SessionForkParams, result: teamwright.SessionRef }
---@field ["teamwright.session.rename"] { params: teamwright.SessionRenameParams, result: teamwright.SessionSummary }
---@field ["teamwright.session.delete"] { params: teamwright.SessionParams, result: teamwright.SessionSummary }
---@field ["teamwright.session.restore"] { params: teamwright.SessionParams, result: teamwright.SessionSummary }
---@field ["teamwright.session.compact"] { params: teamwright.SessionParams, result: teamwright.SessionSummary }
---@field ["teamwright.session.stats"] { params: teamwright.SessionParams, result: teamwright.SessionStats }
---@field ["teamwright.session.tasks"] { params: teamwright.SessionTasksParams, result: teamwright.SessionTasksResult }
---@field ["teamwright.session.export"] { params: teamwright.SessionExportParams, result: teamwright.SessionExportResult }
---@field ["teamwright.session.import"] { params: teamwright.SessionImportParams, result: teamwright.SessionRef }
---@field ["teamwright.run.list"] { params: teamwright.RunListParams, result: teamwright.RunListResult }
---@field ["teamwright.run.open"] { params: teamwright.RunParams, result: teamwright.RunOpenResult }
---@field ["teamwright.run.check"] { params: teamwright.RunCheckParams, result: teamwright.RunCheckResult }
---@field ["teamwright.run.problems"] { params: teamwright.RunProblemsParams, result: teamwright.RunProblemsResult }
---@field ["teamwright.run.resume"] { params: teamwright.RunParams, result: teamwright.RunResumed }
---@field ["teamwright.run.continue"] { params: teamwright.RunContinueParams, result: teamwright.RunLaunched }
---@field ["teamwright.plan.execute"] { params: teamwright.PlanExecuteParams, result: teamwright.RunLaunched }
---@field ["teamwright.run.analyze"] { params: teamwright.RunAnalyzeParams, result: teamwright.RunAnalyzeResult }
---@field ["teamwright.run.again"] { params: teamwright.RunAgainParams, result: teamwright.RunLaunched }
---@field ["teamwright.run.report"] { params: teamwright.RunReportParams, result: teamwright.RunReportResult }
---@field ["teamwright.project.list"] { params: teamwright.ProjectParams, result: teamwright.ProjectListResult }
---@field ["teamwright.project.create"] { params: teamwright.ProjectParams, result: teamwright.Project }
---@field ["teamwright.project.select"] { params: teamwright.ProjectParams, result: teamwright.Project }
---@field ["teamwright.project.open"] { params: teamwright.ProjectParams, result: teamwright.Project }
---@field ["teamwright.changes.open"] { params: teamwright.ChangesOpenParams, result: teamwright.ChangesOpenResult }
---@field ["teamwright.changes.propose"] { params: teamwright.ChangesProposeParams, result: teamwright.ChangesProposeResult }
---@field ["teamwright.changes.apply"] { params: teamwright.ChangesParams, result: teamwright.ChangesResult }
---@field ["teamwright.changes.discard"] { params: teamwright.ChangesParams, result: teamwright.ChangesResult }
---@field ["teamwright.changes.undo"] { params: teamwright.ChangesParams, result: teamwright.ChangesResult }
---@field ["teamwright.review"] { params: teamwright.CodeActionParams, result: teamwright.RunLaunched }
---@field ["teamwright.explain"] { params: teamwright.CodeActionParams, result: teamwright.RunLaunched }
---@field ["teamwright.fix"] { params: teamwright.CodeActionParams, result: teamwright.RunLaunched }
---@field ["teamwright.test"] { params: teamwright.CodeActionParams, result: teamwright.RunLaunched }
---@field ["teamwright.finding.dismiss"] { params: teamwright.FindingDismissParams, result: teamwright.FindingDismissResult }
---@field ["teamwright.remembered.list"] { params: teamwright.NoParams, result: teamwright.RememberedResult }
---@field ["teamwright.remembered.forget"] { params: teamwright.ForgetParams, result: teamwright.ForgetResult }
---@field ["teamwright.stats"] { params: teamwright.StatsParams, result: teamwright.StatsResult }
---@field ["teamwright.status"] { params: teamwright.NoParams, result: teamwright.StatusResult }
