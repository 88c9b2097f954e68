// A class in the words of schema.org, for search engines.
import type { ClassDetail } from '../../../contract/classes/classes.ts';
import { paths } from '../../platform/paths.ts';

export const courseData = (
  item: ClassDetail,
  { brand, publicUrl, currency }: { brand: string; publicUrl: string; currency: string },
) => ({
  '@context': 'https://schema.org',
  '@type': 'Course',
  name: item.name,
  description: item.description || `${item.sport} with ${item.instructor}`,
  url: `${publicUrl}${paths.class(item._id)}`,
  image: new URL(item.img, publicUrl || 'http://localhost').href,
  provider: { '@type': 'Organization', name: brand, url: `${publicUrl}/` },
  offers: {
    '@type': 'Offer',
    category: 'Paid',
    price: item.price.toFixed(2),
    priceCurrency: currency.toUpperCase(),
    availability:
      item.seat > 0 && !item.ended ? 'https://schema.org/InStock' : 'https://schema.org/SoldOut',
  },
  hasCourseInstance: {
    '@type': 'CourseInstance',
    courseMode: 'Onsite',
    instructor: { '@type': 'Person', name: item.instructor },
    ...(item.place && { location: item.place }),
    ...(item.firstDay && { startDate: item.firstDay, endDate: item.lastDay }),
  },
});
