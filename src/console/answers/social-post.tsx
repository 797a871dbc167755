import type { MicroblogPost } from '../../contract/operations/microblog.ts';
import type { ShortVideo } from '../../contract/operations/shortvideo.ts';
import { country, duration, moment, number } from '../parts/format.ts';
import { OutLink, Picture } from '../parts/links.tsx';
import { type Fact, Facts, Metrics, NotStated, Stated, Tags, yesNo } from '../parts/stated.tsx';

interface Author {
  readonly handle: string | null;
  readonly name: string | null;
  readonly avatarUrl: string | null;
  readonly isVerified: boolean | null;
}

function Byline({ author }: { author: Author }) {
  return (
    <header class="author">
      <Picture src={author.avatarUrl} what="Avatar" />
      <div>
        <strong>
          <Stated value={author.name} />
        </strong>
        {author.isVerified && <span class="label">Verified</span>}
        <p class="small">{author.handle === null ? <NotStated /> : `@${author.handle}`}</p>
        {author.isVerified === null && (
          <p class="small">
            Verified: <NotStated />
          </p>
        )}
      </div>
    </header>
  );
}

/** Numbers by name; a null stays a null. */
const metricFacts = (metrics: Readonly<Record<string, number | null>>): readonly Fact[] =>
  Object.entries(metrics).map(([name, value]) => [name, value === null ? null : number(value)]);

export function ShortVideoView({ resource }: { resource: ShortVideo }) {
  const { music } = resource;
  return (
    <article class="card post">
      <Byline author={resource.author} />
      <p class="text">
        <Stated value={resource.description} />
      </p>
      <Picture src={resource.coverUrl} what="Cover" />
      <Metrics metrics={metricFacts(resource.metrics)} />
      <Facts
        facts={[
          ['Posted', resource.createdAt && moment(resource.createdAt)],
          ['Length', resource.durationMs === null ? null : duration(resource.durationMs)],
          ['Region', resource.region && `${country(resource.region)} (${resource.region})`],
          ['Advertisement', yesNo(resource.isAd)],
          ['Sound', music.title],
          ['Sound by', music.authorName],
          ['Hashtags', <Tags key="hashtags" tags={resource.hashtags.map((h) => `#${h}`)} />],
          ['Video', resource.url && <OutLink href={resource.url} />],
          ['Id', <code key="id">{resource.videoId}</code>],
        ]}
      />
    </article>
  );
}

export function MicroblogPostView({ resource }: { resource: MicroblogPost }) {
  return (
    <article class="card post">
      <Byline author={resource.author} />
      <p class="text large">
        <Stated value={resource.text} />
      </p>
      {resource.media.length > 0 && (
        <ul class="media">
          {resource.media.map((m, at) => (
            <li key={`${at}${m.url}`}>
              <Picture src={m.thumbnailUrl ?? m.url} what={`Medium ${at + 1}`} />
              <p class="small">
                <Stated value={m.url}>{(url) => <OutLink href={url} />}</Stated>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Metrics metrics={metricFacts(resource.metrics)} />
      <Facts
        facts={[
          ['Published', resource.publishedAt && moment(resource.publishedAt)],
          ['Language', resource.language],
          ['Quotes another post', yesNo(resource.isQuote)],
          [
            'Links',
            resource.links.length === 0
              ? 'none'
              : resource.links.map((link) => (
                  <p key={link}>
                    <OutLink href={link} />
                  </p>
                )),
          ],
          ['Hashtags', <Tags key="hashtags" tags={resource.hashtags.map((h) => `#${h}`)} />],
          ['Conversation', resource.conversationId],
          ['Post', resource.url && <OutLink href={resource.url} />],
          ['Id', <code key="id">{resource.postId}</code>],
        ]}
      />
    </article>
  );
}
