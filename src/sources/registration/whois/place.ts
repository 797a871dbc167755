import { isRole } from '../facts.ts';
import type { Field, Section } from './labels.ts';
import type { WhoisRecord } from './record.ts';

/** An open block: the lines below a label or a heading that are its values. */
export interface Block {
  /** The meaning of the values; null for the unlabelled lines of a section. */
  readonly field: Field | null;
  readonly indent: number;
  values: number;
  /** A blank line came before the first value: then only deeper lines are values. */
  apart?: boolean;
  /** The first value was on the label's own line. */
  readonly behind?: boolean;
  /** Of a contact: a line had a label. Lines without one continue its value: no name, and only an e-mail address or telephone number is read. */
  isLabelled?: boolean;
}
interface Heading {
  readonly section: Section;
  readonly name: string;
  readonly indent: number;
}

const NO_HEADING: Heading = { section: 'domain', name: '', indent: 0 };

export class Place {
  section: Section = 'domain';
  /** Lines with content so far in this section. */
  count = 0;
  /** The open block; null if lines without a label have no meaning here. */
  open: Block | null = null;
  /** The next line is the first of its paragraph. */
  starts = true;
  /** The paragraph names the domain, or is under the domain's heading. */
  own = false;
  /** The paragraph describes a contact, so its dates are not the domain's. */
  personal = false;
  /** Of the section; `above`: of the one before a blank line, while the lines below are deeper. */
  heading: Heading = NO_HEADING;
  above: Heading | null = null;

  enter(section: Section, indent: number, name = ''): void {
    this.section = section;
    this.heading = { section, name, indent };
    this.above = null;
    this.count = 0;
    if (section === 'domain') this.own = true;
    const field = section === 'ns' || section === 'registrar' ? section : null;
    const isBlock = field !== null || isRole(section) || section === 'abuse' || section === 'keys';
    this.open = isBlock ? { field, indent, values: 0 } : null;
  }

  /** Handles a blank line: it ends block and paragraph. A heading without content yet stays in force. */
  blank(): void {
    const under = this.own && this.count === 0;
    this.starts = true;
    this.personal = false;
    if (this.open && this.open.values > 0) this.open = null;
    else if (this.open) this.open.apart = true;
    if (this.count > 0 && this.section !== 'domain') {
      const left = this.heading;
      this.enter('domain', 0);
      this.above = left;
    }
    this.own = under;
  }

  /** Whether a line ends a block without values: it is below a blank line and not deeper than the heading, whose value it may still be. */
  leavesBlock(indent: number): boolean {
    const { open } = this;
    if (!open?.apart || open.field === 'ns' || open.values > 0 || indent > open.indent) return false;
    this.open = null;
    return true;
  }

  /** Whether a plain date or status belongs to a contact: its paragraph is not the domain's. */
  belongsToContact(field: Field, record: WhoisRecord): boolean {
    if (this.section !== 'domain' || this.own || record.wide) return false;
    if (!record.matched) return this.personal;
    // an object of a contact never begins with a state
    return field === 'updated' || (field === 'status' && !this.starts) || (this.personal && (field === 'created' || field === 'expires'));
  }
}
