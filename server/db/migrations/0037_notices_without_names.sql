-- What admins are told about a class to review had the name of its instructor, who may delete the account.
update notice set words = coalesce((select left(name, 250) from class where id::text = notice.subject), 'A class')
where kind = 'class';
