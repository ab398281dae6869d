// Generated from the server's types by `make generate`. Do not edit.

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

export interface AgentStopped {
  type: "agent.stopped";
  attempt: number;
  reason: "answered" | "voted" | "abstained" | "superseded" | "timeout" | "failed" | "cancelled" | "finished";
  error?: string;
  usage: Usage;
  costUsd?: number;
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
  agents: string[];
  of: number;
  disputedBy?: string[];
  dismissed: boolean;
}

/** An answer in full, with the files its agent had written by then. */
export interface Answer {
  answerId: string;
  label: string;
  agentId: string;
  content: string;
  files: string[];
  submittedAt: string;
}

export interface AnswerBrief {
  answerId: string;
  label: string;
  agentId: string;
  content: string;
  truncated?: boolean;
}

export interface AnswerPreview {
  answerId: string;
  label: string;
  agentId: string;
  preview: string;
}

export interface AnswerSubmitted {
  type: "answer.submitted";
  answerId: string;
  label: string;
  content: string;
  plan?: Plan;
  files?: string[];
  truncated?: boolean;
}

/** `edits` is read by the decision's kind: a partial run spec, a plan, or a choice of files. */
export interface ApproveParams {
  decisionId: string;
  choice: "approve" | "cancel";
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

/** Somebody wants the run to end; it ends with `run.finished`, once everything at work has stopped. */
export interface CancelRequested {
  type: "cancel.requested";
}

export interface CancelResult {
  cancelled: boolean;
}

export interface Change {
  uri: string;
  kind: "create" | "edit" | "delete";
  diff: string;
  hunks: Hunk[];
  agentId: string;
  truncated?: boolean;
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

export interface ChangesDetail {
  changes: Change[];
}

export interface ChangesOpenParams {
  runId: string;
  uri: string;
}

export interface ChangesOpenResult {
  before: string;
  after: string;
}

export interface ChangesParams {
  runId: string;
  files?: FileChoice[] | null;
}

export interface ChangesProposed {
  type: "changes.proposed";
  changes: Change[];
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

export interface Choice {
  id: string;
  label: string;
}

export interface CodeActionParams {
  uri?: string | null;
  range?: RangeInput | null;
  diff?: DiffBase | null;
  findingIds?: string[] | null;
  instructions?: string | null;
  sessionId?: string | null;
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
  firstAnswerGraceSeconds: number;
  orchestratorTimeoutSeconds: number;
  initialRoundTimeoutSeconds: number | null;
  subsequentRoundTimeoutSeconds: number | null;
  roundTimeoutGraceSeconds: number;
}

/** The rules of coordination that one run may set for itself; what is left out comes from the configuration. */
export interface CoordinationOverrides {
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
  firstAnswerGraceSeconds?: number | null;
  orchestratorTimeoutSeconds?: number | null;
  initialRoundTimeoutSeconds?: number | null;
  subsequentRoundTimeoutSeconds?: number | null;
  roundTimeoutGraceSeconds?: number | null;
}

export interface CostEstimate {
  usdLow: number;
  usdHigh: number;
}

export type Decision = RunDecision | PlanDecision | ChangesDecision | InputDecision | OverrideDecision | BudgetDecision | CommandDecision | ResumeDecision;

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

export type Event = SessionCreated | SessionUpdated | SessionCompacted | TurnQueued | TurnStarted | TurnFinished | ItemStarted | ItemFinished | DecisionRequested | DecisionResolved | RunStarted | CancelRequested | TimerElapsed | BudgetReached | AgentStarted | AgentInformed | AgentCorrected | AgentStopped | AnswerSubmitted | VoteCast | MessageShared | FindingReported | FindingDismissed | WinnerSelected | PlanProposed | ChangesProposed | ChangesSettled | RunFinished | SessionResync | ItemDelta | FindingsUpdated | RunUpdated | UsageReported | NoticeRaised;

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
}

/** All findings of the session. */
export interface FindingsUpdated {
  type: "findings.updated";
  findings: AgreedFinding[];
}

export interface Hunk {
  index: number;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
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
}

export interface ItemStarted {
  type: "item.started";
  item: Item;
  step?: number;
}

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
  coordinationOverrides?: CoordinationOverrides | null;
  budget?: BudgetInput | null;
  sessionId?: string | null;
  approval?: "ask" | "given" | null;
}

export interface Limits {
  maxActiveSessions: number;
  activeSessions: number;
  idleMinutes: number;
  maxSteps: number;
}

export interface MessageShared {
  type: "message.shared";
  from: string;
  to: string[];
  text: string;
  truncated?: boolean;
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

/** A context path of a run, with the number of files below it. */
export interface PathScope {
  path: string;
  permission: "read" | "write";
  count: number;
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
  what: "turn" | "run";
  task: string;
  done: string;
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
  logDir: string;
}

export interface RunParams {
  runId: string;
}

export interface RunResult {
  text: string;
  agentId: string;
  strategy: string;
  truncated?: boolean;
}

export interface RunStarted {
  type: "run.started";
  spec: ResolvedRunSpec;
  parentRunId?: string;
  autonomy: "hitl" | "autonomous";
  applyChanges: "ask" | "auto";
}

export interface RunUpdated {
  type: "run.updated";
  run: RunView;
}

export interface RunView {
  runId: string;
  parentRunId?: string;
  task: string;
  phase: "queued" | "planning" | "answering" | "voting" | "override" | "presenting" | "executing" | "applying" | "finished";
  outcome?: "completed" | "cancelled" | "failed" | "timed_out";
  agents: AgentView[];
  answers: AnswerPreview[];
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
}

export interface SessionExportResult {
  text: string;
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
  itemsBefore?: number | null;
}

export interface SessionOpenResult {
  session: SessionView;
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
}

export interface SettledFile {
  uri: string;
  outcome: "applied" | "rejected" | "conflicted";
  reason?: string;
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

/** Time passed, as a fact: the `round_…` ones are about an agent's attempt, the others about the run. */
export interface TimerElapsed {
  type: "timer.elapsed";
  timer: "run" | "budget" | "first_answer_grace" | "round_wrap_up" | "round_tools_closed" | "round_over";
  attempt?: number;
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
}

export interface TurnStarted {
  type: "turn.started";
  text: string;
  truncated?: boolean;
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
  by: "votes" | "override" | "only" | "timeout";
}

export interface Commands {
  "quorate.chat": { params: ChatParams; result: ChatResult };
  "quorate.launch_run": { params: LaunchRunParams; result: RunLaunched };
  "quorate.approve": { params: ApproveParams; result: DecisionResult };
  "quorate.respond": { params: RespondParams; result: DecisionResult };
  "quorate.override": { params: OverrideParams; result: OverrideResult };
  "quorate.steer": { params: SteerParams; result: SteerResult };
  "quorate.cancel": { params: CancelParams; result: CancelResult };
  "quorate.modes": { params: ModesParams; result: Modes };
  "quorate.session.list": { params: SessionListParams; result: SessionListResult };
  "quorate.session.open": { params: SessionOpenParams; result: SessionOpenResult };
  "quorate.session.close": { params: SessionParams; result: SessionRef };
  "quorate.session.search": { params: SessionSearchParams; result: SessionSearchResult };
  "quorate.session.fork": { params: SessionForkParams; result: SessionRef };
  "quorate.session.rename": { params: SessionRenameParams; result: SessionSummary };
  "quorate.session.delete": { params: SessionParams; result: SessionSummary };
  "quorate.session.restore": { params: SessionParams; result: SessionSummary };
  "quorate.session.compact": { params: SessionParams; result: SessionSummary };
  "quorate.session.stats": { params: SessionParams; result: SessionStats };
  "quorate.session.export": { params: SessionExportParams; result: SessionExportResult };
  "quorate.session.import": { params: SessionImportParams; result: SessionRef };
  "quorate.run.list": { params: RunListParams; result: RunListResult };
  "quorate.run.open": { params: RunParams; result: RunOpenResult };
  "quorate.project.list": { params: ProjectParams; result: ProjectListResult };
  "quorate.project.create": { params: ProjectParams; result: Project };
  "quorate.project.select": { params: ProjectParams; result: Project };
  "quorate.project.open": { params: ProjectParams; result: Project };
  "quorate.changes.open": { params: ChangesOpenParams; result: ChangesOpenResult };
  "quorate.changes.apply": { params: ChangesParams; result: ChangesResult };
  "quorate.changes.discard": { params: ChangesParams; result: ChangesResult };
  "quorate.changes.undo": { params: ChangesParams; result: ChangesResult };
  "quorate.review": { params: CodeActionParams; result: RunLaunched };
  "quorate.explain": { params: CodeActionParams; result: RunLaunched };
  "quorate.fix": { params: CodeActionParams; result: RunLaunched };
  "quorate.test": { params: CodeActionParams; result: RunLaunched };
  "quorate.finding.dismiss": { params: FindingDismissParams; result: FindingDismissResult };
  "quorate.status": { params: NoParams; result: StatusResult };
}

export type CommandName = keyof Commands;
