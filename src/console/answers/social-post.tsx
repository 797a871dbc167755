import type { MicroblogPost } from '../../contract/operations/microblog.ts';
import type { ShortVideo } from '../../contract/operations/shortvideo.ts';
import { Pill, type Stat, Stats } from '../parts/card.tsx';
import { capital, country, duration, moment, number, share, words } from '../parts/format.ts';
import { OutLink, Picture } from '../parts/links.tsx';
import { type Fact, Facts, NotStatedLine, Tags, yesNo } from '../parts/stated.tsx';
import { Head, nullsIn, stated, TwoColumns, worded } from './shared.tsx';

/** Figures with their share of the views, which is computed here, and the author. */
function Top({ resource: { metrics, author } }: { resource: ShortVideo | MicroblogPost }) {
  const figures = Object.entries(metrics).flatMap(([name, value]): Stat[] => {
    if (value === null) return [];
    const part = metrics.views && name !== 'views' ? `${share(value / metrics.views)} of views, computed` : undefined;
    return [[capital(words(name)), number(value), part]];
  });
  return (
    <>
      {figures.length > 0 && <Stats stats={figures} />}
      <NotStatedLine names={nullsIn(metrics).map((name) => capital(words(name)))} />
      <Head picture={author.avatarUrl} what="Avatar">
        <p>
          <strong>{stated(author.name)}</strong> {author.isVerified && <Pill tone="good" text="Verified" />}
        </p>
        <p class="about">{stated(author.handle, (handle) => `@${handle}`)}</p>
      </Head>
    </>
  );
}

const link = (url: string | null) => url && <OutLink href={url} />;

const hashtags = (tags: readonly string[]): Fact => ['Hashtags', <Tags key="hashtags" tags={tags.map((tag) => `#${tag}`)} />];

export const ShortVideoView = ({ resource }: { resource: ShortVideo }) => (
  <TwoColumns
    class="post"
    about="About the video"
    aside={
      <Facts
        facts={[
          ['Posted', worded(resource.createdAt, moment)],
          ['Length', worded(resource.durationMs, duration)],
          ['Region', worded(resource.region, (code) => `${country(code)} (${code})`)],
          ['Advertisement', yesNo(resource.isAd)],
          ['Verified', yesNo(resource.author.isVerified)],
          ['Sound', resource.music.title],
          ['Sound by', resource.music.authorName],
          hashtags(resource.hashtags),
          ['Video', link(resource.url)],
          ['Id', <code key="id">{resource.videoId}</code>],
        ]}
      />
    }
  >
    <Top resource={resource} />
    <p class="text">{stated(resource.description)}</p>
    <Picture src={resource.coverUrl} what="Cover" />
  </TwoColumns>
);

export const MicroblogPostView = ({ resource }: { resource: MicroblogPost }) => (
  <TwoColumns
    class="post"
    about="About the post"
    aside={
      <Facts
        facts={[
          ['Published', worded(resource.publishedAt, moment)],
          ['Language', resource.language],
          ['Quotes another post', yesNo(resource.isQuote)],
          ['Verified', yesNo(resource.author.isVerified)],
          ['Links', resource.links.length ? resource.links.map((each) => <p key={each}>{link(each)}</p>) : 'none'],
          hashtags(resource.hashtags),
          ['Conversation', resource.conversationId],
          ['Post', link(resource.url)],
          ['Id', <code key="id">{resource.postId}</code>],
        ]}
      />
    }
  >
    <Top resource={resource} />
    <p class="text large">{stated(resource.text)}</p>
    {resource.media.length > 0 && (
      <ul class="media">
        {resource.media.map((m, index) => (
          <li key={`${index}${m.url}`}>
            <Picture src={m.thumbnailUrl ?? m.url} what={`Medium ${index + 1}`} />
            <p class="about">{link(m.url) ?? stated(m.url)}</p>
          </li>
        ))}
      </ul>
    )}
  </TwoColumns>
);
