// Generated from the server's types by `make generate`. Do not edit.

/** A command of the wire with its arguments filled in. */
export interface Action {
  label: string;
  command: string;
  arguments: Record<string, unknown>;
  key?: string;
  primary?: boolean;
  part?: string;
  input?: InputField[];
}

/** An agent did what does not count: text where a vote was due, a faulty call, a refused answer. It was told so. */
export interface AgentCorrected {
  type: "agent.corrected";
  attempt: number;
  misstep: "plain_text" | "bad_call" | "refused";
  text: string;
}

export interface AgentHealth {
  agentId: string;
  backend: string;
  model?: string;
  health: "unknown" | "ok" | "unreachable" | "misconfigured";
  detail?: string;
  latencyMs?: number;
}

/** An agent at work was shown what is new, before the model call that can make use of it. */
export interface AgentInformed {
  type: "agent.informed";
  attempt: number;
  seen: Seen;
}

export interface AgentStarted {
  type: "agent.started";
  attempt: number;
  purpose: "answer" | "plan" | "present";
  seen?: Seen;
}

/** How an agent has done in the runs that it took part in. */
export interface AgentStats {
  agentId: string;
  runs: number;
  won: number;
  answers: number;
  votes: number;
  votesForWinner: number;
  checked: number;
  broke: number;
  failed: number;
  seconds: number;
  usage: Usage;
  costUsd?: number;
}

export interface AgentStopped {
  type: "agent.stopped";
  attempt: number;
  reason: "answered" | "voted" | "abstained" | "superseded" | "timeout" | "failed" | "cancelled" | "finished";
  error?: string;
  usage: Usage;
  costUsd?: number;
  candidate?: Candidate;
}

export interface AgentView {
  agentId: string;
  status: "waiting" | "working" | "answered" | "voted" | "abstained" | "presenting" | "failed" | "stopped";
  attempt: number;
  answers: number;
  votedFor?: string;
  usage: Usage;
  costUsd?: number;
  note?: string;
}

/** Several agents' remarks on the same thing, as one: `agents` of `of` agree. */
export interface AgreedFinding {
  findingId: string;
  uri: string;
  range: Range;
  severity: "error" | "warning" | "info" | "hint";
  title: string;
  detail: string;
  suggestion?: string;
  reproduced?: "yes" | "no" | "not_run";
  notRunBecause?: string;
  agents: string[];
  of: number;
  disputedBy?: string[];
  dismissed: boolean;
}

export interface AnalysisFinding {
  topic: "alike_answers" | "flipped_votes" | "void_votes" | "idle_rounds" | "slow_agent" | "failing_agent" | "checks" | "outcome";
  tone: "ok" | "bad" | "warn" | "busy" | "idle" | "accent";
  title: string;
  evidence: string[];
  agents: string[];
}

/** An answer in full, with the files its agent had written by then. */
export interface Answer {
  answerId: string;
  label: string;
  agentId: string;
  content: string;
  files: string[];
  candidate?: Candidate;
  checks: CheckView[];
  standing?: "green" | "no_worse" | "broke";
  submittedAt: string;
}

export interface AnswerBrief {
  answerId: string;
  label: string;
  agentId: string;
  content: string;
  candidate?: Candidate;
  changes?: Change[];
  checks: CheckView[];
  standing?: "green" | "no_worse" | "broke";
  truncated?: boolean;
}

export interface AnswerPreview {
  answerId: string;
  label: string;
  agentId: string;
  preview: string;
  candidate?: Candidate;
  checks: CheckView[];
  standing?: "green" | "no_worse" | "broke";
}

export interface AnswerSubmitted {
  type: "answer.submitted";
  answerId: string;
  label: string;
  content: string;
  plan?: Plan;
  files?: string[];
  candidate?: Candidate;
  truncated?: boolean;
}

/** `offset` counts the code points that the part has; a client that has fewer or more opens the session again. */
export interface AppendText {
  op: "append";
  entryId: string;
  part: string;
  offset: number;
  text: string;
}

/** `choice` is the id of one that the decision offers; `approve` and `cancel` are always among them. */
export interface ApproveParams {
  decisionId: string;
  choice: string;
  edits?: Record<string, unknown> | null;
  instructions?: string | null;
}

export interface AssistantMessage {
  itemId: string;
  discarded?: boolean;
  truncated?: boolean;
  seq?: number;
  turnId?: string;
  runId?: string;
  agentId?: string;
  kind: "assistant_message";
  text: string;
}

export interface AttachmentInput {
  uri: string;
  range?: RangeInput | null;
}

export interface Attachment {
  uri: string;
  range?: Range;
}

/** A limit is met when any of its parts is. */
export interface BudgetInput {
  usd?: number | null;
  tokens?: number | null;
  seconds?: number | null;
}

/** A limit is met when any of its parts is. */
export interface Budget {
  usd?: number;
  tokens?: number;
  seconds?: number;
}

export interface BudgetDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "budget";
  detail: BudgetDetail;
}

/** `limit` is all that may be spent up to the next question, what is spent already included. */
export interface BudgetDetail {
  of: "run" | "session";
  spent: BudgetSpent;
  limit: Budget;
}

export interface BudgetReached {
  type: "budget.reached";
  spent: BudgetSpent;
  sessionLimit?: Budget;
}

export interface BudgetSpent {
  usd: number | null;
  tokens: number;
  seconds: number;
  usage: Usage;
}

export interface CancelParams {
  runId?: string | null;
  turnId?: string | null;
}

/** Somebody wants the run or turn to end; it does so with its `finished`, once everything at work has stopped. */
export interface CancelRequested {
  type: "cancel.requested";
}

export interface CancelResult {
  cancelled: boolean;
}

/** What an answer changes in the user's files. `change_set_id` is a hash of every path with its bytes. */
export interface Candidate {
  changeSetId: string;
  files: string[];
  added: number;
  removed: number;
  changesOwnChecks?: boolean;
}

export interface Change {
  uri: string;
  kind: "create" | "edit" | "delete";
  diff: string;
  hunks: Hunk[];
  agentId: string;
  truncated?: boolean;
  digest?: string;
  asks?: string;
}

export interface ChangesDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "changes";
  detail: ChangesDetail;
}

/** `checks` are those of exactly these bytes; `moved`: the workspace is no longer the one that was checked. */
export interface ChangesDetail {
  changes: Change[];
  checks: CheckView[];
  moved?: boolean;
}

/** With an answer: what that one would make of the file. */
export interface ChangesOpenParams {
  runId: string;
  uri: string;
  answerId?: string | null;
}

export interface ChangesOpenResult {
  before: string;
  after: string;
}

/** With an answer its candidate is meant, and not what the run has proposed; it can only be applied. */
export interface ChangesParams {
  runId: string;
  files?: FileChoice[] | null;
  answerId?: string | null;
}

/** Another answer's changes, to be looked at in place of what a run that is over has proposed. */
export interface ChangesProposeParams {
  runId: string;
  answerId: string;
}

export interface ChangesProposeResult {
  changeSetId: string;
  uris: string[];
}

export interface ChangesProposed {
  type: "changes.proposed";
  changes: Change[];
  changeSetId?: string;
  moved?: boolean;
}

export interface ChangesResult {
  settled: SettledFile[];
}

export interface ChangesSettled {
  type: "changes.settled";
  settled: SettledFile[];
}

export interface ChatParams {
  text: string;
  sessionId?: string | null;
  attachments?: AttachmentInput[];
  modes?: ModesInput | null;
  whenBusy?: "queue" | "steer";
}

export interface ChatResult {
  sessionId: string;
  turnId: string;
}

/** What a candidate makes worse than it is without it: names are bounded, counts are not. */
export interface CheckCompared {
  type: "check.compared";
  of: OfAnswer | "base" | "final";
  name: string;
  changeSetId?: string;
  broke: string[];
  brokeCount: number;
  notFixed: number;
  flaky: string[];
}

export interface CheckCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A command of the project that says whether it still works. No shell: the words as they are. */
export interface CheckDefinition {
  name: string;
  argv: string[];
  cwd?: string;
  timeoutSeconds: number;
  paths?: string[];
  report?: string;
  needs?: string[];
  files?: CheckFile[];
  source: "user" | "workspace" | "discovered" | "reproduction";
}

export interface CheckFailure {
  name: string;
  path?: string;
  uri?: string;
  line?: number;
  message: string;
}

/** As tools name paths. */
export interface CheckFile {
  path: string;
  content: string;
}

export interface CheckFinished {
  type: "check.finished";
  of: OfAnswer | "base" | "final";
  name: string;
  changeSetId?: string;
  outcome: "passed" | "failed" | "timed_out" | "error";
  exitCode?: number;
  seconds: number;
  tests?: CheckCounts;
  failures: CheckFailure[];
  output: string;
  reused?: boolean;
  tree?: string;
  truncated?: boolean;
}

export interface CheckOutput {
  type: "check.output";
  of: OfAnswer | "base" | "final";
  name: string;
  text: string;
}

/** A failing place of a check; `source` says in words of which one, and on whose changes. */
export interface CheckProblem {
  check: string;
  source: string;
  failure: CheckFailure;
}

/** At a person's wish, in place of those that were shown before; none: they are taken away. */
export interface CheckProblemsShown {
  type: "check.problems";
  of: OfAnswer | "base" | "final";
  problems: CheckProblem[];
}

/** `change_set_id` says which bytes are checked; the base has none. */
export interface CheckStarted {
  type: "check.started";
  of: OfAnswer | "base" | "final";
  name: string;
  changeSetId?: string;
}

/** A check of an answer, of the base or of the final change set, as it stands. */
export interface CheckView {
  name: string;
  outcome: "passed" | "failed" | "timed_out" | "error" | "running";
  tests?: CheckCounts;
  broke?: number;
}

export interface Chip {
  label: string;
  tone?: "ok" | "bad" | "warn" | "busy" | "idle" | "accent";
  hint?: string;
}

export interface ChipsData {
  chips: Chip[];
}

export interface ChipsPart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "chips";
  data: ChipsData;
}

export interface Choice {
  id: string;
  label: string;
}

export interface CodeActionParams {
  uri?: string | null;
  range?: RangeInput | null;
  diff?: DiffBase | null;
  findingIds?: string[] | null;
  checks?: string[] | null;
  instructions?: string | null;
  sessionId?: string | null;
}

export interface CodeData {
  language: string;
}

export interface CodePart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "code";
  text: string;
  data: CodeData;
}

export interface CommandDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "command";
  detail: CommandDetail;
}

export interface CommandDetail {
  argv: string[];
  cwd: string;
}

export interface ContextPathInput {
  path: string;
  permission?: "read" | "write";
}

export interface ContextPath {
  path: string;
  permission: "read" | "write";
}

/** The rules of coordination with every default filled in. */
export interface Coordination {
  votingSensitivity: "lenient" | "balanced" | "strict";
  maxNewAnswersPerAgent: number;
  maxNewAnswersGlobal: number | null;
  answerNoveltyRequirement: "lenient" | "balanced" | "strict";
  fairnessEnabled: boolean;
  fairnessLeadCapAnswers: number;
  deferVotingUntilAllAnswered: boolean;
  disableInjection: boolean;
  skipVoting: boolean;
  skipFinalPresentation: boolean;
  finalAnswerStrategy: "winner_reuse" | "winner_present" | "synthesize";
  override: "ask" | "offer" | "off";
  overrideSeconds: number;
  firstAnswerGraceSeconds: number;
  orchestratorTimeoutSeconds: number;
  initialRoundTimeoutSeconds: number | null;
  subsequentRoundTimeoutSeconds: number | null;
  roundTimeoutGraceSeconds: number;
}

/** The rules of coordination that one run may set for itself; what is left out comes from the configuration. */
export interface CoordinationOverridesInput {
  votingSensitivity?: "lenient" | "balanced" | "strict" | null;
  maxNewAnswersPerAgent?: number | null;
  maxNewAnswersGlobal?: number | null;
  answerNoveltyRequirement?: "lenient" | "balanced" | "strict" | null;
  fairnessEnabled?: boolean | null;
  fairnessLeadCapAnswers?: number | null;
  deferVotingUntilAllAnswered?: boolean | null;
  disableInjection?: boolean | null;
  skipVoting?: boolean | null;
  skipFinalPresentation?: boolean | null;
  finalAnswerStrategy?: "winner_reuse" | "winner_present" | "synthesize" | null;
  override?: "ask" | "offer" | "off" | null;
  overrideSeconds?: number | null;
  firstAnswerGraceSeconds?: number | null;
  orchestratorTimeoutSeconds?: number | null;
  initialRoundTimeoutSeconds?: number | null;
  subsequentRoundTimeoutSeconds?: number | null;
  roundTimeoutGraceSeconds?: number | null;
}

/** The rules of coordination that one run may set for itself; what is left out comes from the configuration. */
export interface CoordinationOverrides {
  votingSensitivity?: "lenient" | "balanced" | "strict";
  maxNewAnswersPerAgent?: number;
  maxNewAnswersGlobal?: number;
  answerNoveltyRequirement?: "lenient" | "balanced" | "strict";
  fairnessEnabled?: boolean;
  fairnessLeadCapAnswers?: number;
  deferVotingUntilAllAnswered?: boolean;
  disableInjection?: boolean;
  skipVoting?: boolean;
  skipFinalPresentation?: boolean;
  finalAnswerStrategy?: "winner_reuse" | "winner_present" | "synthesize";
  override?: "ask" | "offer" | "off";
  overrideSeconds?: number;
  firstAnswerGraceSeconds?: number;
  orchestratorTimeoutSeconds?: number;
  initialRoundTimeoutSeconds?: number;
  subsequentRoundTimeoutSeconds?: number;
  roundTimeoutGraceSeconds?: number;
}

export interface CostEstimate {
  usdLow: number;
  usdHigh: number;
}

export type Decision = RunDecision | PlanDecision | ChangesDecision | InputDecision | OverrideDecision | BudgetDecision | CommandDecision | ToolDecision | MemoryDecision | ResumeDecision;

export interface DecisionRequested {
  type: "decision.requested";
  decision: Decision;
}

export interface DecisionResolved {
  type: "decision.resolved";
  decisionId: string;
  choice: string;
  by: "user" | "timeout" | "policy" | "cancelled";
  edits?: Record<string, unknown>;
  text?: string;
}

export interface DecisionResult {
  decision: Resolution;
}

export interface DiffBase {
  base: string;
}

export interface DiffData {
  uri: string;
  change: "create" | "edit" | "delete";
  added: number;
  removed: number;
  hunks: DiffHunk[];
  outcome?: "applied" | "rejected" | "conflicted";
}

export interface DiffHunk {
  index: number;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

/** `text` is the file's path as people know it. */
export interface DiffPart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "diff";
  text: string;
  data: DiffData;
}

export interface Entry {
  entryId: string;
  kind: "message" | "answer" | "reasoning" | "activity" | "run" | "decision" | "changes" | "findings" | "analysis" | "plan" | "tasks" | "notice" | "compaction" | "error";
  title?: string;
  parts: Part[];
  actions: Action[];
  state?: "queued" | "sent" | "steered" | "streaming" | "running" | "waiting" | "done" | "failed" | "cancelled" | "info" | "warning" | "error";
  at?: string;
  seq?: number;
  expiresAt?: string;
  turnId?: string;
  runId?: string;
  agentId?: string;
  decisionId?: string;
}

export type Event = SessionCreated | SessionUpdated | SessionCompacted | HiddenTextFound | TurnQueued | TurnStarted | TurnFinished | ItemStarted | ItemFinished | DecisionRequested | DecisionResolved | TasksUpdated | RunStarted | CancelRequested | TimerElapsed | BudgetReached | AgentStarted | AgentInformed | AgentCorrected | AgentStopped | AnswerSubmitted | VoteCast | CheckStarted | CheckFinished | CheckCompared | MessageShared | FindingReported | FindingDismissed | WinnerSelected | PlanProposed | ChangesProposed | ChangesSettled | RunFinished | RunAnalyzed | SessionResync | ItemDelta | CheckOutput | CheckProblemsShown | FindingsUpdated | RunUpdated | UsageReported | TranscriptPatched | NoticeRaised;

export interface EventRecord {
  v: 1;
  seq: number | null;
  at: string;
  sessionId: string | null;
  turnId?: string;
  runId?: string;
  agentId?: string;
  event: Event;
}

/** A file of a change set, whole or only some of its hunks. */
export interface FileChoice {
  uri: string;
  hunks?: number[] | null;
}

export interface Finding {
  findingId: string;
  uri: string;
  range: Range;
  severity: "error" | "warning" | "info" | "hint";
  title: string;
  detail: string;
  suggestion?: string;
  reproduced?: "yes" | "no" | "not_run";
  notRunBecause?: string;
}

export interface FindingDismissParams {
  findingIds: string[];
}

export interface FindingDismissResult {
  dismissed: string[];
}

/** The user wants to see no more of these. The ids are those of all remarks behind a finding. */
export interface FindingDismissed {
  type: "finding.dismissed";
  findingIds: string[];
}

export interface FindingReported {
  type: "finding.reported";
  finding: Finding;
  reproduction?: Reproduction;
}

/** All findings of the session. */
export interface FindingsUpdated {
  type: "findings.updated";
  findings: AgreedFinding[];
}

export interface ForgetParams {
  answerIds?: string[] | null;
}

export interface ForgetResult {
  forgotten: RememberedAnswer[];
}

/** A file that the assistant follows holds words that its reader does not see. Kept, so that whoever opens the session later is told, too; `digest` is of the file's text, about which nothing is told twice. */
export interface HiddenTextFound {
  type: "hidden_text.found";
  text: string;
  digest: string;
}

export interface Hunk {
  index: number;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

/** A field of each row. What a row has beside its columns stays as it is. */
export interface InputColumn {
  key: string;
  label: string;
  options?: InputOption[];
}

export interface InputDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "input";
  detail: InputDetail;
}

export interface InputDetail {
  question: string;
  choices: string[];
  agentId?: string;
}

/** Something to ask for before a command is sent, and where in its arguments the answer goes. */
export interface InputField {
  path: string[];
  kind: "text" | "number" | "flag" | "choice" | "list" | "rows" | "hunks";
  label: string;
  value?: unknown;
  placeholder?: string;
  required?: boolean;
  long?: boolean;
  options?: InputOption[];
  columns?: InputColumn[];
  group?: string;
}

export interface InputOption {
  label: string;
  value: unknown;
}

export type Item = UserMessage | AssistantMessage | Reasoning | Presentation | ToolCall;

/** `offset` counts code points of the item's text, so that a client can see a gap. */
export interface ItemDelta {
  type: "item.delta";
  itemId: string;
  offset: number;
  text: string;
}

export interface ItemFinished {
  type: "item.finished";
  item: Item;
  endsTurn?: boolean;
  usage?: Usage;
  costUsd?: number;
}

export interface ItemStarted {
  type: "item.started";
  item: Item;
  step?: number;
  usage?: Usage;
  costUsd?: number;
}

/** `modes` are those of a session that is begun with the run, or switched to in one that is at rest. */
export interface LaunchRunParams {
  task: string;
  context?: string | null;
  agentMode?: "single" | "multi" | null;
  agents?: string[] | null;
  refinement?: boolean | null;
  planningMode?: boolean | null;
  executeAfterPlanning?: boolean | null;
  review?: boolean | null;
  contextPaths?: ContextPathInput[] | null;
  agentSystemPrompts?: Record<string, string> | null;
  coordinationOverrides?: CoordinationOverridesInput | null;
  budget?: BudgetInput | null;
  checks?: string[] | null;
  checksPolicy?: "prefer" | "require" | "inform" | null;
  allowCommands?: boolean | null;
  taskId?: string | null;
  sessionId?: string | null;
  modes?: ModesInput | null;
  approval?: "ask" | "given" | null;
  attachments?: AttachmentInput[];
  where?: "local" | "workers" | "auto" | null;
}

export interface Limits {
  maxActiveSessions: number;
  activeSessions: number;
  idleMinutes: number;
  maxSteps: number;
}

export interface LinkData {
  uri: string;
  range?: Range;
}

/** `text` is what to show. */
export interface LinkPart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "link";
  text: string;
  data: LinkData;
}

export interface ListedTask {
  id: string;
  title: string;
  state: "pending" | "running" | "done" | "failed" | "dropped";
  runId?: string;
}

export interface MarkdownPart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "markdown";
  text: string;
}

export interface MemoryDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "memory";
  detail: MemoryDetail;
}

/** What the assistant wants to remember from now on: of the user, in every workspace, or of this workspace. */
export interface MemoryDetail {
  text: string;
  origin: string;
  of: "user" | "workspace";
}

export interface MessageShared {
  type: "message.shared";
  from: string;
  to: string[];
  text: string;
  part?: "question" | "answer";
  truncated?: boolean;
}

export interface MeterData {
  used: number;
  of: number;
}

/** `text` says it in words. */
export interface MeterPart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "meter";
  text: string;
  data: MeterData;
}

export interface ModesInput {
  plan?: boolean | null;
  agentMode?: "single" | "multi" | null;
  agentId?: string | null;
  refinement?: boolean | null;
  autonomy?: "hitl" | "autonomous";
  team?: "auto" | "always" | "never";
}

export interface Modes {
  plan: boolean | null;
  agentMode: "single" | "multi" | null;
  agentId: string | null;
  refinement: boolean | null;
  autonomy: "hitl" | "autonomous";
  team: "auto" | "always" | "never";
}

/** Without a session only what new ones begin with can be read. */
export interface ModesParams {
  plan?: boolean | null;
  agentMode?: "single" | "multi" | null;
  agentId?: string | null;
  refinement?: boolean | null;
  autonomy?: "hitl" | "autonomous";
  team?: "auto" | "always" | "never";
  sessionId?: string | null;
}

export interface NoParams {
}

export interface NoticeRaised {
  type: "notice.raised";
  level: "info" | "warning" | "error";
  text: string;
  hint?: string;
}

export interface OfAnswerInput {
  answerId: string;
}

export interface OfAnswer {
  answerId: string;
}

export interface OverrideDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "override";
  detail: OverrideDetail;
}

export interface OverrideDetail {
  answers: AnswerBrief[];
}

/** A null agent lets the vote stand now; leaving it out is a mistake. */
export interface OverrideParams {
  runId: string;
  agentId: string | null;
}

export interface OverrideResult {
  runId: string;
  agentId: string | null;
}

export type Part = MarkdownPart | PlainPart | CodePart | DiffPart | TablePart | LinkPart | MeterPart | ChipsPart | TimelinePart;

export type PatchOp = UpsertEntry | RemoveEntry | AppendText;

/** A context path of a run, with the number of files below it. */
export interface PathScope {
  path: string;
  permission: "read" | "write";
  count: number;
}

export interface PlainPart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "plain";
  text: string;
}

export interface Plan {
  title: string;
  tasks: PlanTask[];
}

export interface PlanDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "plan";
  detail: PlanDetail;
}

export interface PlanDetail {
  plan: Plan;
  path: string;
}

/** Of the plan that the run has made: these tasks, or all that nobody has carried out. */
export interface PlanExecuteParams {
  runId: string;
  tasks?: string[] | null;
  instructions?: string | null;
}

/** What carrying out a plan came to. Usage and cost are its own, beside those of the run that made the plan. */
export interface PlanExecution {
  runId: string;
  outcome: "completed" | "cancelled" | "failed" | "timed_out";
  text?: string;
  footer?: string;
  written: string[];
  checks: CheckView[];
  usage: Usage;
  costUsd?: number;
  error?: string;
  pending: string[];
  truncated?: boolean;
}

export interface PlanProposed {
  type: "plan.proposed";
  plan: Plan;
  path: string;
}

export interface PlanTask {
  id: string;
  title: string;
  detail: string;
  phase?: string;
  files?: string[];
}

export interface PositionInput {
  line: number;
  character: number;
}

export interface Position {
  line: number;
  character: number;
}

export interface Presentation {
  itemId: string;
  discarded?: boolean;
  truncated?: boolean;
  seq?: number;
  turnId?: string;
  runId?: string;
  agentId?: string;
  kind: "presentation";
  text: string;
}

export interface Project {
  name: string;
  path: string;
  goal: string;
  context: string;
  filepaths: Record<string, ProjectPath>;
  deliverables: string[];
  runs: string[];
}

export interface ProjectListResult {
  projects: Project[];
}

export interface ProjectParams {
  name?: string | null;
  goal?: string | null;
  sessionId?: string | null;
}

export interface ProjectPath {
  path: string;
  kind: "file" | "directory";
  description: string;
}

/** A check on the card that asks for a run's approval. One that is not ticked does not run. */
export interface ProposedCheck {
  name: string;
  argv: string[];
  cwd?: string;
  source: "user" | "workspace" | "discovered" | "reproduction";
  ticked: boolean;
}

/** As in LSP: zero-based, the end excluded. */
export interface RangeInput {
  start: PositionInput;
  end: PositionInput;
}

/** As in LSP: zero-based, the end excluded. */
export interface Range {
  start: Position;
  end: Position;
}

export interface Reasoning {
  itemId: string;
  discarded?: boolean;
  truncated?: boolean;
  seq?: number;
  turnId?: string;
  runId?: string;
  agentId?: string;
  kind: "reasoning";
  text: string;
}

export interface Recommendation {
  text: string;
  why: string;
}

/** What a person has said once and for all, in words. */
export interface RememberedAnswer {
  answerId: string;
  about: "tool" | "check";
  title: string;
  says: string;
}

export interface RememberedResult {
  answers: RememberedAnswer[];
}

export interface RemoveEntry {
  op: "remove";
  entryId: string;
}

/** A command that fails because of a finding, and the files that it brings along. */
export interface Reproduction {
  argv: string[];
  files: CheckFile[];
}

/** How a decision was taken: what a second answer is told with its 409. */
export interface Resolution {
  decisionId: string;
  choice: string;
  by: "user" | "timeout" | "policy" | "cancelled";
  edits?: Record<string, unknown>;
  text?: string;
}

/** As it runs: nothing is left open, so that the log alone says what was done. */
export interface ResolvedRunSpec {
  task: string;
  context?: string;
  agentMode: "single" | "multi";
  agents: string[];
  refinement: boolean;
  planningMode: boolean;
  executeAfterPlanning: boolean;
  review: boolean;
  contextPaths: ContextPath[];
  agentSystemPrompts: Record<string, string>;
  coordinationOverrides: Coordination;
  budget?: Budget;
  checks: CheckDefinition[];
  checksPolicy: "prefer" | "require" | "inform";
  checksWaitSeconds: number;
  allowCommands: boolean;
  taskId?: string;
  call?: string;
  continues?: string;
  truncated?: boolean;
}

export interface RespondParams {
  decisionId: string;
  text: string;
}

export interface ResumeDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "resume";
  detail: ResumeDetail;
}

export interface ResumeDetail {
  what: "turn" | "run" | "session";
  task: string;
  done: string;
  items?: ResumeItem[];
}

/** Something that was at work, where there was more than one. */
export interface ResumeItem {
  what: "turn" | "run";
  id: string;
  task: string;
}

/** The same task once more, in the same session, but for what is changed. */
export interface RunAgainParams {
  runId: string;
  changes?: RunSpecEditInput | null;
  approval?: "ask" | "given" | null;
}

export interface RunAnalysis {
  findings: AnalysisFinding[];
  stages: StageUse[];
  timeline: TimelineData;
  recommendations: Recommendation[];
  settings?: RunSpecEdit;
}

export interface RunAnalyzeParams {
  runId: string;
  opinion?: boolean;
  instructions?: string | null;
}

/** An opinion comes later, with a further `run.analyzed`. */
export interface RunAnalyzeResult {
  analysis: RunAnalysis;
}

/** Somebody wanted to know what can be learned from the run, or what a model makes of it. */
export interface RunAnalyzed {
  type: "run.analyzed";
  analysis: RunAnalysis;
  opinion?: string;
  usage?: Usage;
  costUsd?: number;
}

export interface RunCheckParams {
  runId: string;
  files?: FileChoice[] | null;
}

/** The checks that are run on these bytes; what comes of them are events of the run. */
export interface RunCheckResult {
  changeSetId: string;
  checks: string[];
}

export interface RunChecks {
  base: CheckView[];
  final: CheckView[];
}

/** Without instructions it goes on with what it was asked. */
export interface RunContinueParams {
  runId: string;
  instructions?: string | null;
}

export interface RunDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "run";
  detail: RunDetail;
}

export interface RunDetail {
  spec: ResolvedRunSpec;
  files: PathScope[];
  estimate: CostEstimate | null;
  reason: string;
  checks: ProposedCheck[];
  checksOff?: string;
  writing?: ContextPath[];
  withoutSandbox?: boolean;
}

export interface RunFinished {
  type: "run.finished";
  outcome: "completed" | "cancelled" | "failed" | "timed_out";
  result?: RunResult;
  footer?: string;
  written: string[];
  usage: Usage;
  costUsd?: number;
  error?: string;
  checks?: CheckView[];
  execution?: PlanExecution;
}

export interface RunLaunched {
  sessionId: string;
  runId: string;
  decisionId?: string;
}

export interface RunListParams {
  sessionId?: string | null;
  project?: string | null;
  limit?: number;
}

export interface RunListResult {
  runs: RunView[];
}

export interface RunOpenResult {
  run: RunView;
  answers: Answer[];
  result?: RunResult;
  execution?: PlanExecution;
  logDir: string;
  transcript?: Transcript;
}

export interface RunParams {
  runId: string;
}

/** Where the checks of an answer, of the workspace without any or of what is proposed fail, to be shown there. */
export interface RunProblemsParams {
  runId: string;
  of?: OfAnswerInput | "base" | "final" | null;
  shown?: boolean | null;
}

export interface RunProblemsResult {
  count: number;
}

export interface RunReportParams {
  runId: string;
  format?: "html" | "markdown";
  mask?: boolean;
}

export interface RunReportResult {
  text: string;
  name: string;
  warnings: string[];
}

export interface RunResult {
  text: string;
  agentId: string;
  strategy: string;
  truncated?: boolean;
}

export interface RunResumed {
  runId: string;
}

/** What a person changes in a specification before approving it. */
export interface RunSpecEditInput {
  task?: string | null;
  context?: string | null;
  agentMode?: "single" | "multi" | null;
  agents?: string[] | null;
  refinement?: boolean | null;
  planningMode?: boolean | null;
  executeAfterPlanning?: boolean | null;
  review?: boolean | null;
  contextPaths?: ContextPathInput[] | null;
  agentSystemPrompts?: Record<string, string> | null;
  coordinationOverrides?: CoordinationOverridesInput | null;
  budget?: BudgetInput | null;
  checks?: string[] | null;
  checksPolicy?: "prefer" | "require" | "inform" | null;
  allowCommands?: boolean | null;
  taskId?: string | null;
}

/** What a person changes in a specification before approving it. */
export interface RunSpecEdit {
  task?: string;
  context?: string;
  agentMode?: "single" | "multi";
  agents?: string[];
  refinement?: boolean;
  planningMode?: boolean;
  executeAfterPlanning?: boolean;
  review?: boolean;
  contextPaths?: ContextPath[];
  agentSystemPrompts?: Record<string, string>;
  coordinationOverrides?: CoordinationOverrides;
  budget?: Budget;
  checks?: string[];
  checksPolicy?: "prefer" | "require" | "inform";
  allowCommands?: boolean;
  taskId?: string;
}

export interface RunStarted {
  type: "run.started";
  spec: ResolvedRunSpec;
  parentRunId?: string;
  planTasks?: string[];
  autonomy: "hitl" | "autonomous";
  applyChanges: "ask" | "auto";
  executePlan: "ask" | "auto";
}

export interface RunUpdated {
  type: "run.updated";
  run: RunView;
}

export interface RunView {
  runId: string;
  parentRunId?: string;
  task: string;
  phase: "queued" | "planning" | "answering" | "checking" | "voting" | "override" | "presenting" | "executing" | "applying" | "finished";
  outcome?: "completed" | "cancelled" | "failed" | "timed_out";
  agents: AgentView[];
  answers: AnswerPreview[];
  checks: RunChecks;
  votes: VoteView[];
  tally: Record<string, number>;
  winner?: string;
  decisions: string[];
  usage: Usage;
  costUsd?: number;
  budget?: Budget;
  startedAt: string;
  finishedAt?: string;
  written: string[];
  truncated?: boolean;
}

export interface SearchHit {
  sessionId: string;
  seq: number;
  snippet: string;
}

/** How far an agent was shown the run: that many of its answers and of its messages, from the first on. */
export interface Seen {
  answers: number;
  messages: number;
}

export interface SessionCompacted {
  type: "session.compacted";
  summary: string;
  upToSeq: number;
  usage?: Usage;
  costUsd?: number;
}

export interface SessionCreated {
  type: "session.created";
  session: SessionSummary;
}

export interface SessionExportParams {
  sessionId: string;
  format?: "json" | "markdown";
  mask?: boolean;
}

export interface SessionExportResult {
  text: string;
  warnings: string[];
}

export interface SessionForkParams {
  sessionId: string;
  atSeq?: number | null;
}

export interface SessionImportParams {
  text: string;
}

export interface SessionListParams {
  query?: string | null;
  project?: string | null;
  limit?: number;
  before?: string | null;
}

export interface SessionListResult {
  sessions: SessionSummary[];
}

export interface SessionOpenParams {
  sessionId: string;
  afterSeq?: number | null;
  itemsBefore?: number | string | null;
}

export interface SessionOpenResult {
  session: SessionView;
  transcript?: Transcript;
  events: EventRecord[];
  more: boolean;
}

export interface SessionParams {
  sessionId: string;
}

export interface SessionRef {
  sessionId: string;
}

export interface SessionRenameParams {
  sessionId: string;
  title: string;
}

export interface SessionResync {
  type: "session.resync";
  lastSeq: number;
}

export interface SessionSearchParams {
  text: string;
  limit?: number;
}

export interface SessionSearchResult {
  hits: SearchHit[];
}

export interface SessionStats {
  sessionId: string;
  turns: number;
  runs: number;
  messages: number;
  usage: Usage;
  costUsd?: number;
  seconds: number;
}

export interface SessionSummary {
  sessionId: string;
  title: string;
  project?: string;
  createdAt: string;
  updatedAt: string;
  lastMessage: string;
  turns: number;
  runs: number;
  pendingDecisions: number;
  costUsd?: number;
  modes: Modes;
  busy: boolean;
}

/** Without tasks the list is only read; with them it is the whole list from now on. */
export interface SessionTasksParams {
  sessionId: string;
  tasks?: TaskEdit[] | null;
}

export interface SessionTasksResult {
  tasks: ListedTask[];
}

export interface SessionUpdated {
  type: "session.updated";
  session: SessionSummary;
}

export interface SessionView {
  sessionId: string;
  title: string;
  project?: string;
  createdAt: string;
  updatedAt: string;
  lastMessage: string;
  turns: number;
  runs: number;
  pendingDecisions: number;
  costUsd?: number;
  modes: Modes;
  busy: boolean;
  items: Item[];
  runViews: RunView[];
  decisions: Decision[];
  findings: AgreedFinding[];
  tasks: ListedTask[];
}

export interface SettledFile {
  uri: string;
  outcome: "applied" | "rejected" | "conflicted";
  reason?: string;
}

export interface StageUse {
  stage: "planning" | "answering" | "refining" | "voting" | "presenting" | "unused";
  label: string;
  usage: Usage;
  costUsd?: number;
  seconds: number;
}

export interface StatsParams {
  project?: string | null;
  limit?: number;
}

export interface StatsResult {
  runs: number;
  agents: AgentStats[];
  text: string;
}

export interface StatusResult {
  agents: AgentHealth[];
  modes: Modes;
  limits: Limits;
  costUsd: number | null;
  decisions: Decision[];
  trusted: boolean;
  versions: Versions;
}

export interface SteerParams {
  text: string;
  runId?: string | null;
  sessionId?: string | null;
  agents?: string[] | null;
}

export interface SteerResult {
  delivered: string[];
}

export interface TableCell {
  text: string;
  tone?: "ok" | "bad" | "warn" | "busy" | "idle" | "accent";
  hint?: string;
}

export interface TableColumn {
  label: string;
  align?: "right";
}

export interface TableData {
  columns: TableColumn[];
  rows: TableRow[];
}

/** Where every column's label is empty there is no head to draw. */
export interface TablePart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "table";
  data: TableData;
}

export interface TableRow {
  cells: TableCell[];
  agentId?: string;
  void?: boolean;
}

/** As a person writes it: a new one has no id yet. */
export interface TaskEdit {
  id?: string | null;
  title: string;
  state?: "pending" | "running" | "done" | "failed" | "dropped";
  runId?: string | null;
}

/** The whole list as it is from now on: by the assistant in its turn, by a person, or as runs begin and end. */
export interface TasksUpdated {
  type: "tasks.updated";
  tasks: ListedTask[];
}

export interface TimelineData {
  seconds: number;
  lanes: TimelineLane[];
  legend: Chip[];
}

export interface TimelineLane {
  label: string;
  note?: string;
  agentId?: string;
  spans: TimelineSpan[];
  marks: TimelineMark[];
}

/** Something that happened at a moment. `sign` is one character, for where there is no room for words. */
export interface TimelineMark {
  at: number;
  sign: string;
  label: string;
  tone?: "ok" | "bad" | "warn" | "busy" | "idle" | "accent";
}

/** A picture for a client to draw, one lane below the other; `text` says what it shows, and what its signs mean. */
export interface TimelinePart {
  part: string;
  title?: string;
  folded?: boolean;
  agentId?: string;
  truncated?: boolean;
  kind: "timeline";
  text: string;
  data: TimelineData;
}

/** Somebody at work, or something that ran. Times are seconds since the beginning. */
export interface TimelineSpan {
  start: number;
  end: number;
  label: string;
  tone?: "ok" | "bad" | "warn" | "busy" | "idle" | "accent";
}

/** Time passed, as a fact: the `round_…` ones are about an agent's attempt, `checks_wait` about what is checked, the others about the run. */
export interface TimerElapsed {
  type: "timer.elapsed";
  timer: "run" | "budget" | "first_answer_grace" | "checks_wait" | "round_wrap_up" | "round_tools_closed" | "round_over";
  attempt?: number;
  of?: OfAnswer | "base" | "final";
}

export interface ToolCall {
  itemId: string;
  discarded?: boolean;
  truncated?: boolean;
  seq?: number;
  turnId?: string;
  runId?: string;
  agentId?: string;
  kind: "tool_call";
  name: string;
  arguments: Record<string, unknown>;
  status: "running" | "succeeded" | "failed" | "cancelled";
  result?: string;
  error?: string;
}

export interface ToolDecision {
  decisionId: string;
  title: string;
  choices: Choice[];
  expiresAt?: string;
  sessionId?: string;
  runId?: string;
  kind: "tool";
  detail: ToolDetail;
}

/** A call of an MCP server's tool that the user has not decided on for good. */
export interface ToolDetail {
  server: string;
  tool: string;
  description: string;
  arguments: Record<string, unknown>;
  traits: ("read_only" | "destructive")[];
  changed?: boolean;
  pin: string;
}

/** `rev` counts notifications per client and transcript; `more` says that there are entries before these. */
export interface Transcript {
  rev: number;
  entries: Entry[];
  more: boolean;
}

/** Of a session's transcript, or of a run's where the envelope names one. A gap in `rev` means: open it again. */
export interface TranscriptPatched {
  type: "transcript.patched";
  rev: number;
  patch: PatchOp[];
}

export interface TurnFinished {
  type: "turn.finished";
  outcome: "completed" | "cancelled" | "failed";
  error?: string;
  usage: Usage;
  costUsd?: number;
}

export interface TurnQueued {
  type: "turn.queued";
  text: string;
  truncated?: boolean;
  attachments: Attachment[];
  modes?: Modes;
}

export interface TurnStarted {
  type: "turn.started";
  text: string;
  truncated?: boolean;
}

/** A known entry is replaced where it stands. A new one goes behind the entry `after`, or to the end. */
export interface UpsertEntry {
  op: "upsert";
  entry: Entry;
  after?: string;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  calls: number;
}

export interface UsageReported {
  type: "usage.reported";
  usage: Usage;
  costUsd?: number;
  sessionCostUsd?: number;
}

export interface UserMessage {
  itemId: string;
  discarded?: boolean;
  truncated?: boolean;
  seq?: number;
  turnId?: string;
  runId?: string;
  agentId?: string;
  kind: "user_message";
  text: string;
  attachments: Attachment[];
}

export interface Versions {
  server: string;
  protocol: number;
}

export interface VoteCast {
  type: "vote.cast";
  target: string;
  reason: string;
  disputed?: string[];
}

export interface VoteView {
  agentId: string;
  target: string;
  reason: string;
  counts: boolean;
}

export interface WinnerSelected {
  type: "winner.selected";
  agentId: string;
  tally: Record<string, number>;
  by: "votes" | "checks" | "override" | "only" | "timeout";
  note?: string;
}

export interface Commands {
  "teamwright.chat": { params: ChatParams; result: ChatResult };
  "teamwright.launch_run": { params: LaunchRunParams; result: RunLaunched };
  "teamwright.approve": { params: ApproveParams; result: DecisionResult };
  "teamwright.respond": { params: RespondParams; result: DecisionResult };
  "teamwright.override": { params: OverrideParams; result: OverrideResult };
  "teamwright.steer": { params: SteerParams; result: SteerResult };
  "teamwright.cancel": { params: CancelParams; result: CancelResult };
  "teamwright.modes": { params: ModesParams; result: Modes };
  "teamwright.session.list": { params: SessionListParams; result: SessionListResult };
  "teamwright.session.open": { params: SessionOpenParams; result: SessionOpenResult };
  "teamwright.session.close": { params: SessionParams; result: SessionRef };
  "teamwright.session.search": { params: SessionSearchParams; result: SessionSearchResult };
  "teamwright.session.fork": { params: SessionForkParams; result: SessionRef };
  "teamwright.session.rename": { params: SessionRenameParams; result: SessionSummary };
  "teamwright.session.delete": { params: SessionParams; result: SessionSummary };
  "teamwright.session.restore": { params: SessionParams; result: SessionSummary };
  "teamwright.session.compact": { params: SessionParams; result: SessionSummary };
  "teamwright.session.stats": { params: SessionParams; result: SessionStats };
  "teamwright.session.tasks": { params: SessionTasksParams; result: SessionTasksResult };
  "teamwright.session.export": { params: SessionExportParams; result: SessionExportResult };
  "teamwright.session.import": { params: SessionImportParams; result: SessionRef };
  "teamwright.run.list": { params: RunListParams; result: RunListResult };
  "teamwright.run.open": { params: RunParams; result: RunOpenResult };
  "teamwright.run.check": { params: RunCheckParams; result: RunCheckResult };
  "teamwright.run.problems": { params: RunProblemsParams; result: RunProblemsResult };
  "teamwright.run.resume": { params: RunParams; result: RunResumed };
  "teamwright.run.continue": { params: RunContinueParams; result: RunLaunched };
  "teamwright.plan.execute": { params: PlanExecuteParams; result: RunLaunched };
  "teamwright.run.analyze": { params: RunAnalyzeParams; result: RunAnalyzeResult };
  "teamwright.run.again": { params: RunAgainParams; result: RunLaunched };
  "teamwright.run.report": { params: RunReportParams; result: RunReportResult };
  "teamwright.project.list": { params: ProjectParams; result: ProjectListResult };
  "teamwright.project.create": { params: ProjectParams; result: Project };
  "teamwright.project.select": { params: ProjectParams; result: Project };
  "teamwright.project.open": { params: ProjectParams; result: Project };
  "teamwright.changes.open": { params: ChangesOpenParams; result: ChangesOpenResult };
  "teamwright.changes.propose": { params: ChangesProposeParams; result: ChangesProposeResult };
  "teamwright.changes.apply": { params: ChangesParams; result: ChangesResult };
  "teamwright.changes.discard": { params: ChangesParams; result: ChangesResult };
  "teamwright.changes.undo": { params: ChangesParams; result: ChangesResult };
  "teamwright.review": { params: CodeActionParams; result: RunLaunched };
  "teamwright.explain": { params: CodeActionParams; result: RunLaunched };
  "teamwright.fix": { params: CodeActionParams; result: RunLaunched };
  "teamwright.test": { params: CodeActionParams; result: RunLaunched };
  "teamwright.finding.dismiss": { params: FindingDismissParams; result: FindingDismissResult };
  "teamwright.remembered.list": { params: NoParams; result: RememberedResult };
  "teamwright.remembered.forget": { params: ForgetParams; result: ForgetResult };
  "teamwright.stats": { params: StatsParams; result: StatsResult };
  "teamwright.status": { params: NoParams; result: StatusResult };
}

export type CommandName = keyof Commands;
