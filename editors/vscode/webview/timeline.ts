/** A timeline as a picture: one lane below the other, with bars for those at work and signs for what came when. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { TimelineData, TimelineLane, TimelinePart } from "../src/protocol.gen.js";

const LABELS = 90;
const WIDTH = 360;
const NOTES = 150;
const LANE = 24;
const BAR = 12;
/** What took no time at all can still be seen, and pointed at. */
const THINNEST = 1.5;

export function timelineView({ text, data }: TimelinePart): TemplateResult {
  const height = LANE * data.lanes.length;
  return html`<figure class="timeline">
    <svg viewBox="0 0 ${LABELS + WIDTH + NOTES} ${height}" role="img" aria-label=${text}>
      ${data.lanes.map((lane, index) => laneView(data, lane, LANE * index))}
    </svg>
    <figcaption>
      ${data.legend?.map(({ label, tone }) => html`<span class="legend ${tone ?? ""}">${label}</span>`) ?? nothing} ${text}
    </figcaption>
  </figure>`;
}

function laneView({ seconds }: TimelineData, lane: TimelineLane, top: number): TemplateResult {
  const scale = WIDTH / Math.max(seconds, 1e-9);
  const middle = top + LANE / 2;
  return svg`
    <line class="axis" x1=${LABELS} x2=${LABELS + WIDTH} y1=${middle} y2=${middle}></line>
    <text class="name" x="0" y=${middle + 4}>${lane.label}</text>
    ${(lane.spans ?? []).map(
      ({
        start,
        end,
        label,
        tone,
      }) => svg`<rect class=${tone ?? "busy"} x=${LABELS + start * scale} y=${middle - BAR / 2}
        width=${Math.max((end - start) * scale, THINNEST)} height=${BAR}><title>${label}</title></rect>`,
    )}
    ${(lane.marks ?? []).map(
      ({ at, sign, label, tone }) =>
        svg`<text class="mark ${tone ?? ""}" x=${LABELS + at * scale} y=${top + 7}>${sign}<title>${label}</title></text>`,
    )}
    <text x=${LABELS + WIDTH + 6} y=${middle + 4}>${lane.note ?? ""}</text>`;
}
